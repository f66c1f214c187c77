import type { WaitForecast } from '../../domain/forecast.ts';
import type { JobRecord } from '../../domain/job.ts';
import { liveThrough } from '../../predict/past/live-through.ts';
import { watchPast } from '../../predict/past/watched-past.ts';
import type { WaitPredictor } from '../../predict/predictor.ts';
import type { WaitJobs } from './wait-jobs.ts';

export interface WaitReplayOptions {
  /** Seconds between two snapshots that the predictor observes. */
  readonly snapshotSeconds: number;
  /** Size of the machine. */
  readonly processors: number;
  /** Told each scored job with the forecast that was made as it was submitted. */
  onForecast(forecast: WaitForecast, record: JobRecord): void;
  onProgress(doneJobs: number): void;
}

/**
 * Replays jobs to a predictor, which learns what becomes known as it does, and asks it about those to be scored; ends
 * with the last of them.
 */
export function replayWaits(
  predictor: WaitPredictor,
  { records, isScored }: WaitJobs,
  { snapshotSeconds, processors, onForecast, onProgress }: WaitReplayOptions,
): void {
  const lastScored = isScored.lastIndexOf(1);
  const past = watchPast(records, {
    processors,
    snapshotSeconds: predictor.observed ? snapshotSeconds : Number.POSITIVE_INFINITY,
  });
  const isAsked = (job: number) => isScored[job] === 1;
  for (const { sight, forecast } of liveThrough(predictor, past, isAsked, (job) => job)) {
    if (sight.kind !== 'submit') continue;
    if (forecast !== null) onForecast(forecast, records[sight.job] as JobRecord);
    if (sight.job === lastScored) return;
    if ((sight.job & 0xff) === 0) onProgress(sight.job);
  }
}
