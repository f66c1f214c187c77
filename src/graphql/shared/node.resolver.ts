import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import { findImport } from '../../store/imports.ts';
import { CoAllocation } from '../co-allocation/co-allocation.type.ts';
import { type ApiContext, callerOf, ownedBy } from '../context.ts';
import { Job } from '../job/job.type.ts';
import { JobGroup } from '../job-group/job-group.type.ts';
import { Reservation } from '../reservation/reservation.type.ts';
import { Import } from '../site/import.type.ts';
import { Site } from '../site/site.type.ts';
import { fromGlobalId, type NodeType } from './global-id.ts';
import { Node } from './node.type.ts';

type Lookup = (context: ApiContext, id: string) => Promise<Node | null>;

const LOOKUPS: Readonly<Record<NodeType, Lookup>> = {
  async Site({ loaders }, id) {
    const row = await loaders.site.load(id);
    return row && new Site(row);
  },
  async Job(context, id) {
    const row = ownedBy(callerOf(context), await context.loaders.execution.load(id));
    return row && new Job(row);
  },
  async Reservation(context, id) {
    const row = ownedBy(callerOf(context), await context.loaders.reservation.load(id));
    return row && new Reservation(row);
  },
  async CoAllocation(context, id) {
    const row = ownedBy(callerOf(context), await context.loaders.coAllocation.load(id));
    return row && new CoAllocation(row);
  },
  async JobGroup(context, id) {
    const row = ownedBy(callerOf(context), await context.loaders.jobGroup.load(id));
    return row && new JobGroup(row);
  },
  async Import(context, id) {
    if (callerOf(context).role !== 'ADMIN') return null;
    const row = await findImport(context.commands.database.db, id);
    return row && new Import(row);
  },
};

/** The thing of one type behind a global id, if the caller may see it; null for any other id. */
export async function findNode<Type extends NodeType>(
  context: ApiContext,
  globalId: string,
  type: Type | null = null,
): Promise<Node | null> {
  const decoded = fromGlobalId(globalId);
  if (!decoded || (type !== null && decoded.type !== type)) return null;
  return LOOKUPS[decoded.type](context, decoded.id);
}

@Resolver()
export class NodeResolver {
  @Query(() => Node, {
    nullable: true,
    description: 'Anything by its global id; null when the caller can see no such thing.',
  })
  node(
    @Arg('id', () => ID, { description: 'Global id.' }) id: string,
    @Ctx() context: ApiContext,
  ): Promise<Node | null> {
    return findNode(context, id);
  }
}
