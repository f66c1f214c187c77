import type { EpochSeconds } from '../domain/clock.ts';
import type { LiveRuntimeForecast } from '../domain/forecast.ts';
import { runtimeSoFar } from '../domain/runtime-so-far.ts';
import { askedJob } from '../forecast/asked-job.ts';
import { workBeginsAt } from '../plan/reservation/held-again.ts';
import type { ExecutionRow } from '../store/executions.ts';
import type { ReservationRow } from '../store/reservations.ts';
import { findSite } from '../store/sites.ts';
import type { CommandContext } from './carry-out/context.ts';
import { forecastRuntime } from './forecast-runtime.ts';

/** How long the work of an execution runs, and when that makes it end. */
export interface RuntimeOfJob {
  readonly runtime: LiveRuntimeForecast;
  /** Null unless it is running and something is known of its runtime. */
  readonly expectedEndAt: EpochSeconds | null;
}

/**
 * How long the work of an execution runs at its site, by the predictor of runtimes that decides; while it is running,
 * given how long it has. What it holds its processors for before is no part of it. Null until it has a site, and once
 * it has ended. Changes nothing.
 */
export async function forecastJob(
  context: CommandContext,
  execution: ExecutionRow,
  reservation: Pick<ReservationRow, 'mode' | 'startAt' | 'windowOpensAt'> | null,
): Promise<RuntimeOfJob | null> {
  const { siteId, walltimeSeconds, state, startedAt } = execution;
  const site = siteId === null || state === 'ENDED' ? null : await findSite(context.database.db, siteId);
  if (site === null) return null;
  const now = context.clock.now();
  const { work } = await askedJob(context.database.db, execution, site, now);
  const asked = await forecastRuntime(context, site.id, work);
  if (state !== 'RUNNING' || startedAt === null) return { runtime: asked, expectedEndAt: null };
  const heldUntilAt = execution.gateSeconds === null ? startedAt : (execution.gateOpenedAt ?? now);
  const beganAt = Math.max(startedAt, reservation ? workBeginsAt(reservation) : heldUntilAt);
  const endedBySiteAt = startedAt + (execution.submittedWalltimeSeconds ?? walltimeSeconds);
  const runtime = { ...asked, ...runtimeSoFar(asked, now - beganAt, endedBySiteAt - beganAt) };
  const { pointSeconds } = runtime;
  return { runtime, expectedEndAt: Number.isFinite(pointSeconds) ? beganAt + pointSeconds : null };
}
