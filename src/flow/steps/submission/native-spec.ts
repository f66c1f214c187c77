import { invariant } from '../../../domain/failures.ts';
import type { JobSpec } from '../../../domain/job.ts';
import type { CandidateSite } from '../../../domain/plan.ts';
import { askedAt } from '../../../domain/site-requests.ts';
import { INDEX_PLACE } from '../../../domain/staging.ts';
import { holdUntil, longestHoldSeconds } from '../../../plan/hold.ts';
import { withGatePreamble, withHoldPreamble, withTaskIndex } from '../../../plan/hold-preamble.ts';
import type { ExecutionRow } from '../../../store/executions.ts';
import { resourcesOf, siteRequestsOf } from '../../../store/plan-requests.ts';
import type { ReservationRow } from '../../../store/reservations.ts';

/**
 * The job as the site sees it: for a reservation with padded walltime and the preamble that holds until its moment, for
 * one that is ahead of those that it comes after with the one that waits to be told to begin.
 */
export function nativeSpec(
  execution: ExecutionRow,
  script: string,
  reservation: ReservationRow | null,
  site: Pick<CandidateSite, 'siteId' | 'defaults' | 'identity'>,
  now: number,
): JobSpec {
  const { name, processors, walltimeSeconds, siteQueue: queue } = execution;
  const resources = resourcesOf(execution);
  const asks = { ...siteRequestsOf(execution), queue, resources };
  const { staging: _staging, ...asked } = askedAt(asks, site);
  const size = { processors, walltimeSeconds, queue, tenant: site.identity?.tenant };
  const what = { name, script: scriptOf(execution, script), arguments: argumentsOf(execution) };
  const spec = { ...what, ...asked, ...size };
  if (execution.awaits) {
    const { gateSeconds } = execution;
    invariant(gateSeconds !== null, `execution ${execution.id} comes after others and has no gate`);
    const padded = walltimeSeconds + Math.ceil(gateSeconds);
    return { ...spec, script: withGatePreamble(script, gateSeconds), walltimeSeconds: padded };
  }
  const holdUntilAt = reservation && holdUntil(reservation.mode, reservation.startAt, reservation.windowOpensAt);
  if (holdUntilAt === null || holdUntilAt <= now) return spec;
  return {
    ...spec,
    script: withHoldPreamble(script, holdUntilAt),
    walltimeSeconds: walltimeSeconds + Math.ceil(longestHoldSeconds(holdUntilAt, now)),
  };
}

/** A task of an array finds its index in its environment. */
function scriptOf({ taskIndex }: ExecutionRow, script: string): string {
  return taskIndex === null ? script : withTaskIndex(script, taskIndex);
}

/** A job that may run at several sizes is told the chosen one where its arguments ask for it, a task its index. */
function argumentsOf({ arguments: args, processors, statedProcessors, taskIndex }: ExecutionRow): string[] {
  const sized =
    statedProcessors === null ? args : args.map((one) => one.replaceAll(PROCESSORS_PLACE, String(processors)));
  return taskIndex === null ? sized : sized.map((one) => one.replaceAll(INDEX_PLACE, String(taskIndex)));
}

/** Stands for the chosen size in an argument. */
const PROCESSORS_PLACE = '{processors}';
