import type { WaitForecast } from '../domain/forecast.ts';
import type { JobRecord } from '../domain/job.ts';
import type { WaitPredictor } from '../predict/predictor.ts';
import { Timeline } from '../sim/timeline.ts';
import { reveal, unstarted } from './reveal.ts';
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
 * Replays jobs to a predictor, which learns what becomes known as it does, and asks it about those to be scored; ends with the last of
 * them.
 */
export function replayWaits(
  predictor: WaitPredictor,
  { records, isScored }: WaitJobs,
  { snapshotSeconds, processors, onForecast, onProgress }: WaitReplayOptions,
): void {
  const timeline = new Timeline(processors);
  const lastScored = isScored.lastIndexOf(1);
  let nextSnapshotAt = records[0]?.submitAt ?? 0;
  for (const event of reveal(records)) {
    if (predictor.observe) {
      for (; nextSnapshotAt < event.at; nextSnapshotAt += snapshotSeconds) {
        predictor.observe(timeline.snapshotAt(nextSnapshotAt));
      }
    }
    if (event.kind === 'submit') {
      const record = records[event.job] as JobRecord;
      if (isScored[event.job]) {
        const state = predictor.observe ? timeline.snapshotAt(event.at) : null;
        onForecast(predictor.predict(event.query, state, event.at), record);
      }
      if (event.job === lastScored) return;
      if (predictor.observe) timeline.observe(unstarted(record));
      if ((event.job & 0xff) === 0) onProgress(event.job);
    } else {
      if (predictor.observe) timeline.observe(event.record);
      if (event.kind === 'start') predictor.learn(event.record);
    }
  }
}
