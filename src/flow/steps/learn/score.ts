import { hasEnded, hasStarted, JOB_OUTCOMES, type JobRecord } from '../../../domain/job.ts';
import type { JobUse } from '../../../domain/job-use.ts';
import { finishKept } from '../../../plan/deadline/kept.ts';
import { submissionOf, unstarted } from '../../../predict/past/reveal.ts';
import type { SiteEvent } from '../../../predict/past/tell.ts';
import { QUANTITIES, RUNTIME, WAIT } from '../../../predict/quantities.ts';
import type { ExecutionRow } from '../../../store/executions.ts';
import type { ForecastToScore } from '../../../store/plans.ts';
import type { ReservationRow } from '../../../store/reservations.ts';
import type { NewScore } from '../../../store/scores.ts';

/** An execution that is over, with what was promised and forecast of it. */
export interface EndedForecasts {
  readonly execution: ExecutionRow;
  readonly reservation: ReservationRow | null;
  /** Of its plan, for the site it went to. */
  readonly forecasts: readonly ForecastToScore[];
  /** As its site's record tells; undefined where it does not. */
  readonly use: JobUse | undefined;
  /** How long it held its processors before its own work. */
  readonly heldSeconds: number;
}

/**
 * Scores every forecast of an execution's plan against what its quantity came out as, and the promise against its
 * outcome. A job that never started has no wait to compare with, one that did not complete no runtime; a cancelled
 * promise was never put to the test. The predictors themselves learn from the site's records, which the observation has
 * written.
 */
export function scoresOf(ended: EndedForecasts, now: number): NewScore[] {
  const { execution, reservation, forecasts } = ended;
  const { id: executionId, siteId } = execution;
  if (siteId === null) return [];
  const common = { siteId, executionId, scoredAt: now };
  const scores: NewScore[] = [];
  const actuals = actualsOf(whatHappened(ended));
  for (const { id: forecastId, quantity, predictor, point, bound95 } of forecasts) {
    const actual = actuals.get(quantity);
    if (actual === undefined) continue;
    const made = { ...common, forecastId, quantity, predictor, actual };
    if (point !== null) scores.push({ ...made, metric: 'POINT', predicted: point });
    if (bound95 !== null) scores.push({ ...made, metric: 'BOUND95', predicted: bound95 });
  }
  if (reservation?.state === 'KEPT' || reservation?.state === 'MISSED') {
    const wait = forecasts.find(({ quantity }) => quantity === WAIT.name);
    const rested = { forecastId: wait?.id ?? null, quantity: WAIT.name, predictor: wait?.predictor ?? 'none' };
    const actual = reservation.state === 'KEPT' ? 1 : 0;
    const predicted = reservation.promisedProbability;
    scores.push({ ...common, ...rested, metric: 'PROMISE', predicted, actual });
  }
  return [...scores, ...deadlineScore(execution, forecasts, common), ...killedScore(execution, forecasts, common)];
}

/** Whether a promised deadline was kept, beside the promise. It is told with the waits, which it rests on as well. */
function deadlineScore(
  execution: ExecutionRow,
  forecasts: readonly ForecastToScore[],
  common: Pick<NewScore, 'siteId' | 'executionId' | 'scoredAt'>,
): NewScore[] {
  const { promisedFinishProbability: predicted } = execution;
  const kept = finishKept(execution);
  if (kept === null || predicted === null) return [];
  const wait = forecasts.find(({ quantity }) => quantity === WAIT.name);
  const rested = { forecastId: wait?.id ?? null, quantity: WAIT.name, predictor: wait?.predictor ?? 'none' };
  return [{ ...common, ...rested, metric: 'DEADLINE_KEPT', predicted, actual: kept ? 1 : 0 }];
}

/**
 * Whether an automatic walltime killed its job, beside the risk that was accepted, or the larger one that was forecast
 * where its caller's own bound left less. Only a job that completed and one that was killed by it have put it to the
 * test.
 */
function killedScore(
  execution: ExecutionRow,
  forecasts: readonly ForecastToScore[],
  common: Pick<NewScore, 'siteId' | 'executionId' | 'scoredAt'>,
): NewScore[] {
  const { walltimeRisk, walltimePredictor, outcome } = execution;
  if (walltimeRisk === null || (outcome !== 'COMPLETED' && outcome !== 'TIMEOUT')) return [];
  const rested = { forecastId: null, quantity: RUNTIME.name, predictor: walltimePredictor ?? 'none' };
  const said = forecasts.find(({ quantity, predictor }) => quantity === RUNTIME.name && predictor === rested.predictor);
  const forecastRisk = said?.beyondWalltime ?? 0;
  const predicted = forecastRisk > Math.max(walltimeRisk, LEAST_TOLD_RISK) ? forecastRisk : walltimeRisk;
  return [{ ...common, ...rested, metric: 'KILLED', predicted, actual: outcome === 'TIMEOUT' ? 1 : 0 }];
}

/** What each quantity came out as, as far as the events tell. */
function actualsOf(events: readonly SiteEvent[]): ReadonlyMap<string, number> {
  const actuals = new Map<string, number>();
  for (const quantity of QUANTITIES) {
    for (const event of events) {
      const actual = quantity.actualOf(event);
      if (actual) actuals.set(quantity.name, actual.value);
    }
  }
  return actuals;
}

/**
 * What happened to an execution at its site, in the words in which predictors are told. Its end is told as of its work:
 * what it held its processors for is nothing that anybody forecasts.
 */
function whatHappened({ execution, heldSeconds, use }: EndedForecasts): SiteEvent[] {
  const record = recordOf(execution);
  if (record === null) return [];
  const events: SiteEvent[] = [{ kind: 'submit', submission: submissionOf(record) }];
  if (!hasStarted(record)) return events;
  events.push({ kind: 'start', record: { ...unstarted(record), startAt: record.startAt } });
  const work = { ...record, startAt: record.startAt + heldSeconds, use };
  if (hasEnded(work)) events.push({ kind: 'end', record: work });
  return events;
}

/** The execution as a record of its site; null when it never got there. */
function recordOf(execution: ExecutionRow): JobRecord | null {
  const { nativeId, nativeSubmittedAt, startedAt, endedAt, processors, siteQueue } = execution;
  if (nativeId === null || nativeSubmittedAt === null) return null;
  const requestedWalltimeSeconds = execution.submittedWalltimeSeconds ?? execution.walltimeSeconds;
  const outcome = JOB_OUTCOMES.find((known) => known === execution.outcome) ?? null;
  const request = { user: null, queue: siteQueue, processors, requestedWalltimeSeconds };
  return { nativeId, ...request, submitAt: nativeSubmittedAt, startAt: startedAt, endAt: endedAt, outcome };
}

/** What lies beyond the last percentile is told as a whole. */
const LEAST_TOLD_RISK = 0.01;
