import type { JobSpec } from '../../../domain/job.ts';
import { holdUntil, longestHoldSeconds } from '../../../plan/hold.ts';
import { withHoldPreamble } from '../../../plan/hold-preamble.ts';
import type { ExecutionRow } from '../../../store/executions.ts';
import type { ReservationRow } from '../../../store/reservations.ts';

/** The job as the site sees it: for a reservation with padded walltime and the preamble that holds until its moment. */
export function nativeSpec(execution: ExecutionRow, reservation: ReservationRow | null, now: number): JobSpec {
  const { name, script, arguments: args, processors, walltimeSeconds, siteQueue: queue } = execution;
  const spec = { name, script, arguments: args, processors, walltimeSeconds, queue };
  const holdUntilAt = reservation && holdUntil(reservation.mode, reservation.startAt, reservation.windowOpensAt);
  if (holdUntilAt === null || holdUntilAt <= now) return spec;
  return {
    ...spec,
    script: withHoldPreamble(script, holdUntilAt),
    walltimeSeconds: walltimeSeconds + Math.ceil(longestHoldSeconds(holdUntilAt, now)),
  };
}
