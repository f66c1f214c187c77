import type { EpochSeconds } from '../../domain/clock.ts';
import { QUANTILE_COUNT, type RuntimeForecast } from '../../domain/forecast.ts';
import { runtimeSoFar } from '../../domain/runtime-so-far.ts';
import { shareWithin, valueAtShare } from '../../stats/percentile-spread.ts';

/** What the finish of a job is told from. */
export interface JobSpreads {
  /** From which its wait counts; of a job that runs its start. */
  readonly submitAt: EpochSeconds;
  /** Percentiles 1 to 99 of its wait; nothing but zeros for a job that runs. */
  readonly waitQuantileSeconds: readonly number[];
  /** Percentiles 1 to 99 of how long its work runs; of a job that runs given that it has for so long. */
  readonly runtimeQuantileSeconds: readonly number[];
  /** That the work is given: whatever runs as long is killed by it. */
  readonly walltimeSeconds: number;
}

/** How probable it is that a job has finished its work by a moment. */
export interface FinishForecast {
  /** The most that it comes to, however late: one that is killed by its walltime has not finished its work. */
  readonly most: number;

  /** The probability that its work is finished by `at`, from 0 to .99. */
  probabilityBy(at: EpochSeconds): number;

  /** The first whole second by which that probability is reached; null where it never is. */
  earliestAt(probability: number): EpochSeconds | null;
}

/**
 * The finish of a job: its wait and then its runtime. Each slice of one percent of the runtimes, at its middle, meets
 * the whole spread of the waits. The two are taken to be independent: both forecasts know the job, the queue and the
 * hour, so what would make a long wait and a long runtime come together is in them already. A slice that reaches the
 * walltime is killed and never finishes; so is the last one, beyond the highest percentile, of which nothing is known.
 * Costs 100 searches a probability.
 */
export function finishForecast(input: JobSpreads): FinishForecast {
  const { submitAt, waitQuantileSeconds } = input;
  const runs = finishedRuns(input);
  const within = (seconds: number) => {
    let sum = 0;
    for (const run of runs) {
      if (run > seconds) break;
      sum += shareWithin(waitQuantileSeconds, seconds - run);
    }
    return sum / SLICES;
  };
  const known = waitQuantileSeconds.filter(Number.isFinite);
  const longest = (runs.at(-1) ?? 0) + (known.at(-1) ?? 0);
  const most = (runs.length / SLICES) * (known.length / SLICES);
  return {
    most,
    probabilityBy: (at) => within(at - submitAt),
    earliestAt(probability) {
      if (!(most + ROUNDING >= probability)) return null;
      let [from, to] = [0, Math.ceil(longest) + 1];
      while (from < to) {
        const middle = Math.floor((from + to) / 2);
        if (within(middle) + ROUNDING >= probability) to = middle;
        else from = middle + 1;
      }
      return submitAt + from;
    },
  };
}

/** What the finish of a job is told from that runs, and has for a while. */
export function runSoFar(
  { quantileSeconds }: Pick<RuntimeForecast, 'quantileSeconds'>,
  { startedAt, walltimeSeconds, now }: { startedAt: EpochSeconds; walltimeSeconds: number; now: EpochSeconds },
): JobSpreads {
  const known = { pointSeconds: Number.POSITIVE_INFINITY, quantileSeconds };
  return {
    submitAt: startedAt,
    waitQuantileSeconds: new Array<number>(QUANTILE_COUNT).fill(0),
    runtimeQuantileSeconds: runtimeSoFar(known, now - startedAt, walltimeSeconds).quantileSeconds,
    walltimeSeconds,
  };
}

/** Percentiles of the whole wait of a job that has waited for so long, infinite beyond what was known of it. */
export function asWaited(percentiles: readonly number[], waitedSeconds: number): readonly number[] {
  const known = { pointSeconds: Number.POSITIVE_INFINITY, quantileSeconds: percentiles };
  if (waitedSeconds > 0) return runtimeSoFar(known, waitedSeconds, null).quantileSeconds;
  const unknown = new Array<number>(QUANTILE_COUNT - percentiles.length).fill(Number.POSITIVE_INFINITY);
  return [...percentiles, ...unknown];
}

/** How long the work runs in each slice in which it is not killed, rising. */
function finishedRuns({ runtimeQuantileSeconds, walltimeSeconds }: JobSpreads): number[] {
  const runs: number[] = [];
  for (let slice = 0; slice < SLICES; slice++) {
    const run = valueAtShare(runtimeQuantileSeconds, (slice + 0.5) / SLICES);
    if (run < walltimeSeconds) runs.push(run);
  }
  return runs;
}

const SLICES = 100;
/** A probability is as exact as the percentiles that it is told from. */
const ROUNDING = 1e-9;
