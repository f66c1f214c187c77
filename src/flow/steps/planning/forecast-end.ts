import { askedJob } from '../../../forecast/asked-job.ts';
import { endOf } from '../../../plan/job/chain.ts';
import { isOpen, workBeginsAt } from '../../../plan/reservation/life.ts';
import { asRuntime, RUNTIME } from '../../../predict/quantities.ts';
import type { ExecutionRow } from '../../../store/executions.ts';
import { findReservationOf } from '../../../store/reservations.ts';
import type { FlowContext } from '../../context.ts';
import { siteOf } from '../../site-of.ts';

/** Percentiles of the end of a job that is at its site; null where that cannot be said. */
export async function forecastEnd(context: FlowContext, job: ExecutionRow, now: number): Promise<number[] | null> {
  const { siteId, state, startedAt } = job;
  const isGateShut = job.gateSeconds !== null && job.gateOpenedAt === null;
  if (siteId === null || (state !== 'QUEUED' && state !== 'RUNNING') || isGateShut) return null;
  const promise = await findReservationOf(context.database.db, job.id);
  if (promise && isOpen(promise) && state === 'QUEUED') return null;
  const { work, atSite } = await askedJob(context.database.db, job, await siteOf(context, job), now);
  const [said] = await context.forecaster.forecastOthers(siteId, RUNTIME.name, [work]);
  if (!said) return null;
  const runtime = asRuntime(said);
  const beganAt = startedAt && Math.max(startedAt, job.gateOpenedAt ?? 0, promise ? workBeginsAt(promise) : 0);
  const walltimeSeconds = job.submittedWalltimeSeconds ?? job.walltimeSeconds;
  if (state === 'RUNNING') return endOf({ beganAt, runtime, walltimeSeconds, wait: null }, now);
  const [wait = null] = await context.forecaster.forecastWaits(siteId, [
    { ...atSite, requestedWalltimeSeconds: walltimeSeconds },
  ]);
  return endOf({ beganAt: null, runtime, walltimeSeconds, wait }, now);
}
