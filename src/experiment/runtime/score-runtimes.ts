import { hasRun, type JobRequest, ranSeconds, requestOf } from '../../domain/job.ts';
import { knownOutcomes } from '../../predict/past/known-outcomes.ts';
import { watchPast } from '../../predict/past/watched-past.ts';
import type { RuntimePredictor } from '../../predict/predictor.ts';
import type { Quantity } from '../../predict/quantity.ts';
import type { WaitJobs } from '../wait/wait-jobs.ts';
import { RangeScorer } from './range-scorer.ts';
import { RuntimeScorer } from './runtime-scorer.ts';
import { WalltimeScorer } from './walltime-scorer.ts';
import { type WatchedForecast, WatchedRanges } from './watched-ranges.ts';

export interface ScoreRuntimesOptions {
  /** Size of the machine. */
  readonly processors: number;
  /** Seconds between two snapshots that the predictor observes, if it does. */
  readonly snapshotSeconds: number;
  onProgress(doneJobs: number): void;
}

/** How good the runtimes, and the ranges of runtimes, of one predictor turned out. */
export interface RuntimeScores {
  readonly runtimes: RuntimeScorer;
  readonly ranges: RangeScorer;
  readonly walltimes: WalltimeScorer;
}

/** Runtimes as they are scored here: of every job that ran and is over, whatever its outcome. */
const RUNTIMES: Pick<Quantity<JobRequest, WatchedForecast>, 'queryOf' | 'actualOf'> = {
  queryOf: requestOf,
  actualOf(event) {
    if (event.kind !== 'end' || !hasRun(event.record)) return null;
    const { nativeId, submitAt } = event.record;
    return { nativeId, submitAt, value: ranSeconds(event.record) };
  },
};

/**
 * Replays jobs to a predictor, which is told what becomes known as it does, and asks it about those to be scored as
 * they are submitted; ends when the last of them has ended.
 */
export function scoreRuntimes(
  predictor: RuntimePredictor,
  { records, isScored }: WaitJobs,
  { processors, snapshotSeconds, onProgress }: ScoreRuntimesOptions,
): RuntimeScores {
  const watched = new WatchedRanges(predictor);
  const past = watchPast(records, {
    processors,
    snapshotSeconds: predictor.observed ? snapshotSeconds : Number.POSITIVE_INFINITY,
  });
  const isAsked = records.map((record, job) => isScored[job] === 1 && hasRun(record));
  let left = isAsked.filter(Boolean).length;
  const [runtimes, ranges, walltimes] = [new RuntimeScorer(), new RangeScorer(), new WalltimeScorer()];
  const options = { isAsked: (job: number) => isAsked[job] === true, onProgress };
  for (const { forecast, actual, record } of knownOutcomes(RUNTIMES, watched, past, options)) {
    const scored = { ...record, seconds: actual.value };
    runtimes.add(forecast.runtime, scored);
    walltimes.add(forecast.runtime, scored);
    ranges.add(forecast, actual.value);
    const error = Math.abs(forecast.runtime.pointSeconds - actual.value);
    if (Number.isFinite(error)) watched.erred(record, error);
    if (--left === 0) break;
  }
  return { runtimes, ranges, walltimes };
}
