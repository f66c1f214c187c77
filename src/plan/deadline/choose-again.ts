import type { EpochSeconds } from '../../domain/clock.ts';
import type { Plan, PlanRequest } from '../../domain/plan.ts';
import { choosePlan } from '../choose.ts';
import type { ForecastOption } from '../job/options.ts';

/**
 * Chooses again for a job whose finish was promised before: as `choosePlan` does, and where nothing can be promised as
 * much any more among the options that can be promised the most.
 */
export function chooseAgain(
  request: PlanRequest,
  options: readonly ForecastOption[],
  now: EpochSeconds,
  staleAfterSeconds: number,
): Plan {
  const plan = choosePlan(request, options, now, staleAfterSeconds);
  const { finishBy = null } = request;
  if (plan.chosen !== null || finishBy === null) return plan;
  const late = plan.candidates.filter(({ lostBecause }) => lostBecause === 'MISSES_DEADLINE');
  if (late.length === 0) return plan;
  const most = Math.max(...late.map(({ finish }) => finish?.probability ?? 0));
  const anyway = { ...request, finishBy: most > 0 ? { ...finishBy, probability: most } : null };
  return choosePlan(anyway, options, now, staleAfterSeconds);
}
