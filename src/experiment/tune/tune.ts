import { createWaitPredictor } from '../../predict/registry.ts';
import type { PredictorSettings } from '../../predict/settings.ts';
import { tuningOf } from '../../predict/tuning.ts';
import { WaitScorer } from '../../predict/wait-scores.ts';
import { toRecords } from '../../sim/records.ts';
import { machineOf, workloadOf } from '../simulate.ts';
import { pickWaitJobs, type WaitJobs } from '../wait/wait-jobs.ts';
import { replayWaits } from '../wait/wait-replay.ts';

export interface TuneOptions {
  /** Logs; what is tuned on several serves all of them. */
  readonly traces: readonly string[];
  /** Scores one in so many validation jobs; 1 unless told. */
  readonly every?: number;
  /** Settings to begin from. */
  readonly settings?: PredictorSettings;
  readonly onProgress?: (done: number, total: number, note: string) => void;
}

/** What tuning found, as it is stored with the predictor. */
export interface Tuned {
  readonly predictor: string;
  /** Settings that differ from the predictor's own. */
  readonly parameters: PredictorSettings;
  /** One in so many jobs was scored. */
  readonly every: number;
  /**
   * Each log, its validation set by the numbers of the jobs from 0, and the average absolute error before and after.
   */
  readonly tunedOn: readonly { trace: string; validation: string; aaeHoursBefore: number; aaeHoursAfter: number }[];
}

/** The validation set of one log, with its jobs to learn from first. */
interface Validation {
  readonly trace: string;
  readonly range: string;
  readonly processors: number;
  readonly jobs: WaitJobs;
}

/**
 * Tunes a predictor on validation sets, which end before the test sets of the wait experiment begin: jobs 16,000 to
 * 19,999 with those from 10,000 on as history. Each parameter is varied on its own, one after another, and keeps the
 * value with the least average absolute error, relative to that at the beginning and averaged over the logs.
 *
 * Source: hariharan-end-to-end-predictions, section V and Table IV.
 * @throws RangeError for a predictor that has nothing to tune, WorkloadError for a bad log
 */
export async function tunePredictor(predictor: string, options: TuneOptions): Promise<Tuned> {
  const { tried } = tuningOf(predictor);
  const every = options.every ?? 1;
  const validations = await Promise.all(options.traces.map((trace) => validationOf(trace, every)));
  const start = options.settings ?? {};
  const total = 1 + Object.values(tried).reduce((sum, values) => sum + values.length, 0);
  let done = 0;
  const measure = (settings: PredictorSettings): number[] => {
    options.onProgress?.(++done, total, JSON.stringify(settings));
    return validations.map((validation) => aaeHours(predictor, settings, validation));
  };
  const before = measure(start);
  const costOf = (after: readonly number[]) =>
    after.reduce((sum, value, log) => sum + value / (before[log] as number), 0) / after.length;
  let best = { settings: start, after: before, cost: 1 };
  for (const [name, values] of Object.entries(tried)) {
    for (const value of values) {
      const settings = { ...best.settings, [name]: value };
      const after = measure(settings);
      const cost = costOf(after);
      if (cost < best.cost - LEAST_GAIN) best = { settings, after, cost };
    }
  }
  const tunedOn = validations.map(({ trace, range }, log) => ({
    trace,
    validation: range,
    aaeHoursBefore: rounded(before[log] as number),
    aaeHoursAfter: rounded(best.after[log] as number),
  }));
  return { predictor, parameters: best.settings, every, tunedOn };
}

async function validationOf(trace: string, every: number): Promise<Validation> {
  const workload = await workloadOf({ trace });
  const records = toRecords(workload);
  const { from, validFrom, to } = validationRange(records.length);
  const jobs = pickWaitJobs(records.slice(from, to), `${validFrom - from}-${to - from - 1}`, 'scored', every);
  return {
    trace: workload.name,
    range: `${validFrom}-${to - 1}`,
    processors: machineOf(workload, undefined),
    jobs,
  };
}

/**
 * Which jobs of a log teach (`from` up to `validFrom`) and which validate (up to and without `to`): 10,000, 16,000 and
 * 20,000, or in the same proportions within the first third of a log whose test set begins there.
 */
export function validationRange(jobs: number): { from: number; validFrom: number; to: number } {
  const to = jobs > PAPER_VALIDATION_END ? PAPER_VALIDATION_END : Math.floor(jobs / 3);
  const from = Math.floor(to / 2);
  return { from, validFrom: from + Math.floor((to - from) * TEACHING_SHARE), to };
}

function aaeHours(predictor: string, settings: PredictorSettings, { jobs, processors }: Validation): number {
  const scorer = new WaitScorer();
  replayWaits(createWaitPredictor(predictor, settings), jobs, {
    snapshotSeconds: SNAPSHOT_SECONDS,
    processors,
    onForecast: (forecast, { submitAt, startAt, endAt }) => {
      if (startAt !== null) scorer.add(forecast, startAt - submitAt, endAt === null ? null : endAt - startAt);
    },
    onProgress: () => {},
  });
  return (scorer.score().averageAbsoluteErrorSeconds ?? Number.POSITIVE_INFINITY) / 3600;
}

function rounded(hours: number): number {
  return Math.round(hours * 1000) / 1000;
}

const PAPER_VALIDATION_END = 20_000;
const TEACHING_SHARE = 0.6;
const SNAPSHOT_SECONDS = 300;
/** A smaller gain is chance. */
const LEAST_GAIN = 1e-3;
