import { Field, Float, Int, ObjectType } from 'type-graphql';
import type { QueuePlace as StoredPlace } from '../../store/queue-places.ts';
import { toMoment } from '../shared/moments.ts';
import { DateTime } from '../shared/scalars.ts';

@ObjectType({ description: "Where a job stands in its site's queue, as of the site's newest snapshot." })
export class QueuePlace {
  constructor(private readonly place: StoredPlace) {}

  @Field(() => Int, {
    description:
      'Jobs that wait ahead of it: those of higher priority where the site tells priorities, else those submitted earlier. Others may still start first where they fit into gaps.',
  })
  get ahead(): number {
    return this.place.ahead;
  }

  @Field(() => Float, { description: 'Processors that those ask for.' })
  get processorsAhead(): number {
    return this.place.processorsAhead;
  }

  @Field(() => Int, { description: 'Jobs that wait there in all, itself among them.' })
  get waiting(): number {
    return this.place.waiting;
  }

  @Field(() => DateTime, { description: 'When the site was looked at.' })
  get observedAt(): Date {
    return toMoment(this.place.observedAt);
  }
}
