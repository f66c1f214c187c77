import type { EpochSeconds } from '../domain/clock.ts';
import { formatExactSeconds } from '../domain/duration.ts';
import type { AutoWalltime, PlanRequest } from '../domain/plan.ts';
import { type NewDependency, saveDependencies } from '../store/dependencies.ts';
import { createExecution } from '../store/executions.ts';
import { enqueueWakeUps } from '../store/outbox.ts';
import type { Principal } from '../store/principals.ts';
import { listRefusals } from '../store/refusals.ts';
import { carryOut, type Idempotent } from './carry-out/carry-out.ts';
import type { CommandContext } from './carry-out/context.ts';
import { checkDependencies, lockDependencies } from './input/dependencies.ts';
import { FaultList } from './input/faults.ts';
import { checkMoment, checkWork, newExecution, type WorkInput } from './input/work-input.ts';
import { AUTO_FIELDS, checkRisk, longestAdvised } from './offers/advised-walltimes.ts';
import { allowedSites, mayPass, noEligibleSite, sortOut } from './offers/eligible-sites.ts';

/** A job to be run wherever it is predicted to end first. */
export interface SubmitJobInput extends WorkInput, Idempotent {
  /** For a walltime that is chosen by a risk; `walltimeSeconds` is the most that it may be then. */
  readonly auto?: AutoWalltime;
  /** The job must have ended by then; null for as soon as possible. */
  readonly deadlineAt: EpochSeconds | null;
  /** Jobs that it comes after; none unless told. */
  readonly after?: readonly NewDependency[];
}

/**
 * Takes a job in. Returning means it is written down together with the wake-up that gets it planned; a site that is out
 * of sight just now does not keep it out. One that comes after others waits for them first.
 * @throws CallerError when the input is invalid, names jobs that are not its tenant's, or no site could ever take it
 */
export function submitJob(
  context: CommandContext,
  principal: Principal,
  input: SubmitJobInput,
): Promise<{ executionId: string }> {
  return carryOut(context, principal, 'submitJob', input, async (commit) => {
    const now = context.clock.now();
    checkInput(context, input, now);
    const walltimeSeconds = await takenWalltime(context, principal, input, now);
    return commit(async (tx) => {
      const { after = [], deadlineAt, auto = null } = input;
      await lockDependencies(tx, principal, after, 'input.after');
      const timed = { ...input, walltimeSeconds };
      const request = newExecution(context, principal, timed, deadlineAt, now, auto);
      const { id: executionId } = await createExecution(tx, { ...request, awaits: after.length > 0 }, null);
      await saveDependencies(tx, executionId, after);
      await enqueueWakeUps(tx, [
        { kind: 'EXECUTION', targetId: executionId, wakeAt: now, requestId: context.requestId },
      ]);
      return { executionId };
    });
  });
}

/**
 * The walltime to write down: the one that is stated, of an automatic one the longest that is advised at a site that
 * may take it.
 * @throws CallerError when no site could ever take the job
 */
async function takenWalltime(
  context: CommandContext,
  { tenantId }: Principal,
  input: SubmitJobInput,
  now: EpochSeconds,
): Promise<number> {
  const { database, limits } = context;
  const sites = await allowedSites(database.db, input, 'input');
  const refusals = await listRefusals(database.db, tenantId, now);
  if (input.auto) {
    const { processors, walltimeSeconds, auto, queue, requiredTags = [], deadlineAt } = input;
    const request: PlanRequest = { processors, walltimeSeconds, auto, queue, requiredTags, deadlineAt };
    const advised = await longestAdvised(context, sites, request, refusals, now);
    if (advised.walltimeSeconds === null) throw noEligibleSite(advised.ineligible, 'input', AUTO_FIELDS);
    return advised.walltimeSeconds;
  }
  const { eligible, ineligible } = sortOut(sites, input, refusals, now, limits.staleAfterSeconds);
  if (eligible.length === 0 && !ineligible.some(mayPass)) throw noEligibleSite(ineligible, 'input');
  return input.walltimeSeconds;
}

function checkInput({ limits }: CommandContext, input: SubmitJobInput, now: EpochSeconds): void {
  const faults = new FaultList();
  checkWork(faults, input, 'input', limits);
  if (input.auto) checkRisk(faults, input.auto.risk, 'input.walltimeRisk');
  checkDependencies(faults, input.after ?? [], 'input.after');
  if (input.deadlineAt !== null) {
    const field = 'input.deadlineAt';
    checkMoment(faults, input.deadlineAt, field, now, limits);
    const leftSeconds = Math.floor(input.deadlineAt - now);
    const tooNear = !input.auto && leftSeconds > 0 && leftSeconds < input.walltimeSeconds;
    faults.require(
      !tooNear,
      field,
      `deadlineAt is ${formatExactSeconds(leftSeconds)} ahead and the job may run ${formatExactSeconds(input.walltimeSeconds)}; ask for less walltime or more time`,
    );
  }
  faults.assertNone();
}
