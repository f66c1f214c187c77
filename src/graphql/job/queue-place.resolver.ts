import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { submissionKey } from '../../domain/submission.ts';
import { findQueuePlace } from '../../store/queue-places.ts';
import type { ApiContext } from '../context.ts';
import { Job } from './job.type.ts';
import { QueuePlace } from './queue-place.type.ts';

@Resolver(() => Job)
export class QueuePlaceResolver {
  @FieldResolver(() => QueuePlace, {
    nullable: true,
    complexity: 50,
    description: "Where it stands in its site's queue; null unless it is QUEUED and its site shows it.",
  })
  async queuePlace(@Root() { row }: Job, @Ctx() { commands }: ApiContext): Promise<QueuePlace | null> {
    if (row.state !== 'QUEUED' || row.siteId === null) return null;
    const place = await findQueuePlace(commands.database.db, row.siteId, submissionKey(row.id, row.attempts));
    return place && new QueuePlace(place);
  }
}
