import { Arg, Ctx, ID, Mutation, Resolver, Root, Subscription } from 'type-graphql';
import { cancelCoAllocation } from '../../commands/cancel-co-allocation.ts';
import { coAllocate } from '../../commands/co-allocate.ts';
import { invariant } from '../../domain/failures.ts';
import { type ApiContext, callerOf, renewLoaders } from '../context.ts';
import { warningsOf } from '../directive/script-directive.type.ts';
import { trajectoriesCost } from '../plan/plan-cost.ts';
import { decodeId } from '../shared/global-id.ts';
import { CancelInput } from '../shared/idempotent.input.ts';
import { answer } from '../shared/payload.ts';
import { followChanges } from '../shared/subscriptions.ts';
import { CoAllocateInput, toCoAllocateCommand } from './co-allocation.input.ts';
import { bestJointOfferOf, CancelCoAllocationPayload, CoAllocatePayload } from './co-allocation.payload.ts';
import { CoAllocation } from './co-allocation.type.ts';

/** What is asked to be done with co-allocations, and what becomes of them. */
@Resolver()
export class CoAllocationChangesResolver {
  @Mutation(() => CoAllocatePayload, {
    complexity: ({ args, childComplexity }) => trajectoriesCost(args.input?.legs ?? []) + childComplexity,
    description:
      'Promises several jobs running at one moment, each at a site of its own: all, any one, at least some, or a rule made of such rules. Sites and submission times are chosen for the least expected charge.',
  })
  coAllocate(
    @Arg('input', () => CoAllocateInput, { description: 'The jobs and their moment.' }) input: CoAllocateInput,
    @Ctx() context: ApiContext,
  ): Promise<CoAllocatePayload> {
    const caller = callerOf(context);
    return answer<CoAllocatePayload>(
      context,
      async () => {
        const made = await coAllocate(context.commands, caller, toCoAllocateCommand(input));
        return { ...(await groupPayload(context, made)), warnings: warningsOf(input.legs) };
      },
      (error) => ({ bestOffer: bestJointOfferOf(error) }),
    );
  }

  @Mutation(() => CancelCoAllocationPayload, {
    complexity: 50,
    description: 'Asks for every leg of a co-allocation to be cancelled.',
  })
  cancelCoAllocation(
    @Arg('input', () => CancelInput, { description: 'The co-allocation.' }) input: CancelInput,
    @Ctx() context: ApiContext,
  ): Promise<CancelCoAllocationPayload> {
    const caller = callerOf(context);
    return answer(context, async () => {
      const id = decodeId(input.id, 'CoAllocation', 'input.id');
      const command = { id, idempotencyKey: input.idempotencyKey ?? null };
      return groupPayload(context, await cancelCoAllocation(context.commands, caller, command));
    });
  }

  @Subscription(() => CoAllocation, {
    subscribe: followChanges('CoAllocation', 'CO_ALLOCATION'),
    description:
      'A co-allocation, each time it changes; with an id at once and from then on until it is over and charged, which is told once. All of the tenant without one.',
  })
  async coAllocationChanged(
    @Root() changedId: string,
    @Arg('id', () => ID, { nullable: true, description: 'Global id.' }) _id: string | null,
    @Ctx() context: ApiContext,
  ): Promise<CoAllocation> {
    const row = await context.loaders.coAllocation.load(changedId);
    invariant(row, `co-allocation ${changedId} changed and is gone`);
    return new CoAllocation(row);
  }
}

async function groupPayload(
  context: ApiContext,
  { coAllocationId }: { coAllocationId: string },
): Promise<{ coAllocation: CoAllocation | null }> {
  renewLoaders(context);
  const row = await context.loaders.coAllocation.load(coAllocationId);
  return { coAllocation: row && new CoAllocation(row) };
}
