import type { Principal } from '../store/principals.ts';
import { carryOut } from './carry-out/carry-out.ts';
import type { CommandContext } from './carry-out/context.ts';
import { assertRoomForJobs } from './carry-out/room-for-jobs.ts';
import { type CoAllocateInput, checkCoAllocation } from './input/co-allocation-input.ts';
import { gatherJointOffer } from './offers/co-allocation-offers.ts';
import { assertStillTakeWork } from './offers/eligible-sites.ts';
import { jointRefusal } from './offers/joint-promise-refused.ts';
import { writeGroup } from './offers/promised-group.ts';

/**
 * Makes a joint promise over legs at different sites, in the way that is expected to cost least. Returning means that
 * the group and every leg worth its charge stand, in one transaction; no leg exists without the others.
 * @throws JointPromiseRefused with what comes closest when the rule cannot be met with the probability asked for
 * @throws CallerError when the input is invalid, a leg has no site, or the tenant has too many open jobs
 */
export function coAllocate(
  context: CommandContext,
  principal: Principal,
  input: CoAllocateInput,
): Promise<{ coAllocationId: string }> {
  return carryOut(context, principal, 'coAllocate', input, async (commit) => {
    const now = context.clock.now();
    checkCoAllocation(context, input, now);
    await assertRoomForJobs(context, principal, input.legs.length);
    const offer = await gatherJointOffer(context, principal, input, now);
    if (offer.kind === 'REFUSAL') throw jointRefusal(offer, input.legs);
    return commit(async (tx) => {
      await assertStillTakeWork(
        tx,
        offer.legs.map(({ site }) => site),
      );
      return writeGroup(tx, { context, principal, input, offer, now });
    });
  });
}
