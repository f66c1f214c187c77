import type { EpochSeconds } from '../domain/clock.ts';
import { formatExactSeconds } from '../domain/duration.ts';
import { createExecution } from '../store/executions.ts';
import { enqueueWakeUps } from '../store/outbox.ts';
import type { Principal } from '../store/principals.ts';
import { listRefusals } from '../store/refusals.ts';
import { carryOut, type Idempotent } from './carry-out/carry-out.ts';
import type { CommandContext } from './carry-out/context.ts';
import { FaultList } from './input/faults.ts';
import { checkMoment, checkWork, newExecution, type WorkInput } from './input/work-input.ts';
import { allowedSites, mayPass, noEligibleSite, sortOut } from './offers/eligible-sites.ts';

/** A job to be run wherever it is predicted to end first. */
export interface SubmitJobInput extends WorkInput, Idempotent {
  /** The job must have ended by then; null for as soon as possible. */
  readonly deadlineAt: EpochSeconds | null;
}

/**
 * Takes a job in. Returning means it is written down together with the wake-up that gets it planned; a site that is out
 * of sight just now does not keep it out.
 * @throws CallerError when the input is invalid or no site could ever take it
 */
export function submitJob(
  context: CommandContext,
  principal: Principal,
  input: SubmitJobInput,
): Promise<{ executionId: string }> {
  return carryOut(context, principal, 'submitJob', input, async (commit) => {
    const now = context.clock.now();
    checkInput(context, input, now);
    const sites = await allowedSites(context.database.db, input.siteIds, 'input');
    const refusals = await listRefusals(context.database.db, principal.tenantId, now);
    const { eligible, ineligible } = sortOut(sites, input, refusals, now, context.limits.staleAfterSeconds);
    if (eligible.length === 0 && !ineligible.some(mayPass)) throw noEligibleSite(ineligible, 'input');
    return commit(async (tx) => {
      const request = newExecution(context, principal, input, input.deadlineAt, now);
      const { id: executionId } = await createExecution(tx, request, null);
      await enqueueWakeUps(tx, [
        { kind: 'EXECUTION', targetId: executionId, wakeAt: now, requestId: context.requestId },
      ]);
      return { executionId };
    });
  });
}

function checkInput({ limits }: CommandContext, input: SubmitJobInput, now: EpochSeconds): void {
  const faults = new FaultList();
  checkWork(faults, input, 'input', limits);
  if (input.deadlineAt !== null) {
    const field = 'input.deadlineAt';
    checkMoment(faults, input.deadlineAt, field, now, limits);
    const leftSeconds = Math.floor(input.deadlineAt - now);
    const tooNear = leftSeconds > 0 && leftSeconds < input.walltimeSeconds;
    faults.require(
      !tooNear,
      field,
      `deadlineAt is ${formatExactSeconds(leftSeconds)} ahead and the job may run ${formatExactSeconds(input.walltimeSeconds)}; ask for less walltime or more time`,
    );
  }
  faults.assertNone();
}
