import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { listCoAllocations } from '../../store/co-allocations.ts';
import { type ApiContext, callerOf } from '../context.ts';
import { Reservation } from '../reservation/reservation.type.ts';
import { type Connection, PageArgs, pageComplexity, toConnection, toPageRequest } from '../shared/connection.ts';
import { findNode } from '../shared/node.resolver.ts';
import { CoAllocation, CoAllocationConnection } from './co-allocation.type.ts';

const USUAL_LEGS = 4;

@Resolver(() => CoAllocation)
export class CoAllocationResolver {
  @Query(() => CoAllocation, {
    nullable: true,
    description: 'One co-allocation of the caller; null when it can see no such one.',
  })
  async coAllocation(
    @Arg('id', () => ID, { description: 'Global id.' }) id: string,
    @Ctx() context: ApiContext,
  ): Promise<CoAllocation | null> {
    callerOf(context);
    return (await findNode(context, id, 'CoAllocation')) as CoAllocation | null;
  }

  @Query(() => CoAllocationConnection, {
    complexity: pageComplexity,
    description: "The co-allocations of the caller's tenant, newest first.",
  })
  async coAllocations(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: ApiContext,
  ): Promise<Connection<CoAllocation>> {
    const { tenantId } = callerOf(context);
    const request = toPageRequest(page);
    const rows = await listCoAllocations(context.commands.database.db, { tenantId }, request);
    return toConnection(rows, request, (row) => new CoAllocation(row));
  }

  @FieldResolver(() => [Reservation], {
    complexity: ({ childComplexity }) => 1 + USUAL_LEGS * childComplexity,
    description: 'The legs that were promised, those that stand in for missed ones too.',
  })
  async legs(@Root() { row }: CoAllocation, @Ctx() { loaders }: ApiContext): Promise<Reservation[]> {
    return (await loaders.legsOf.load(row.id)).map((leg) => new Reservation(leg));
  }
}
