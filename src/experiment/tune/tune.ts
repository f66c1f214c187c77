import type { PredictorSettings } from '../../predict/settings.ts';
import { tuningOf } from '../../predict/tuning.ts';
import { hours } from '../report/rounded.ts';
import type { PartsComputer } from '../run/part-threads.ts';
import { workloadOf } from '../simulate.ts';
import { aaeHours, type Validation, validationExperiment, validationOf } from './validation.ts';

export interface TuneOptions {
  /** Logs; what is tuned on several serves all of them. */
  readonly traces: readonly string[];
  /** Scores one in so many validation jobs; 1 unless told. */
  readonly every?: number;
  /** Settings to begin from. */
  readonly settings?: PredictorSettings;
  /** Who measures the settings instead of this thread. */
  readonly computer?: PartsComputer;
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

/** The errors of each of several settings, log by log, in hours. */
type Measure = (candidates: readonly PredictorSettings[]) => Promise<readonly (readonly number[])[]>;

/**
 * Tunes a predictor on validation sets, which end before the test sets of the wait experiment begin: jobs 16,000 to
 * 19,999 with those from 10,000 on as history. Each parameter is varied on its own, one after another, and keeps the
 * value with the least average absolute error, relative to that at the beginning and averaged over the logs.
 *
 * Source: hariharan-end-to-end-predictions, section V and Table IV.
 * @throws RangeError for a predictor that has nothing to tune, or a log whose error is not known or none; WorkloadError
 *   for a bad log
 */
export async function tunePredictor(predictor: string, options: TuneOptions): Promise<Tuned> {
  const { tried } = tuningOf(predictor);
  const every = options.every ?? 1;
  const validations = await Promise.all(
    options.traces.map(async (trace) => validationOf(await workloadOf({ trace }), every)),
  );
  const start = options.settings ?? {};
  const total = 1 + Object.values(tried).reduce((sum, values) => sum + values.length, 0);
  let done = 0;
  const onMeasured = (settings: PredictorSettings) => options.onProgress?.(++done, total, JSON.stringify(settings));
  const measure = options.computer
    ? measureBy(options.computer, { predictor, every }, options.traces, onMeasured)
    : measureHere(predictor, validations, onMeasured);
  const [before = []] = await measure([start]);
  for (const [log, validation] of validations.entries()) assertTellsErrors(validation, before[log] as number);
  const costOf = (after: readonly number[]) =>
    after.reduce((sum, value, log) => sum + value / (before[log] as number), 0) / after.length;
  let best = { settings: start, after: before, cost: 1 };
  for (const [name, values] of Object.entries(tried)) {
    const candidates = values.map((value) => ({ ...best.settings, [name]: value }));
    for (const [index, after] of (await measure(candidates)).entries()) {
      const cost = costOf(after);
      if (cost < best.cost - LEAST_GAIN) best = { settings: candidates[index] ?? start, after, cost };
    }
  }
  const tunedOn = validations.map(({ trace, range }, log) => ({
    trace,
    validation: range,
    aaeHoursBefore: hours(3600 * (before[log] as number), 3) as number,
    aaeHoursAfter: hours(3600 * (best.after[log] as number), 3) as number,
  }));
  return { predictor, parameters: best.settings, every, tunedOn };
}

function measureHere(
  predictor: string,
  validations: readonly Validation[],
  onMeasured: (settings: PredictorSettings) => void,
): Measure {
  return async (candidates) =>
    candidates.map((settings) => {
      onMeasured(settings);
      return validations.map((validation) => aaeHours(predictor, settings, validation));
    });
}

function measureBy(
  computer: PartsComputer,
  parameters: { predictor: string; every: number },
  traces: readonly string[],
  onMeasured: (settings: PredictorSettings) => void,
): Measure {
  const told = { name: validationExperiment.name, seed: 1, parameters, range: WHOLE };
  const ignore = { onProgress: () => undefined, onFigure: () => undefined };
  return async (candidates) => {
    const parts = candidates.map((settings) => JSON.stringify(settings));
    const byLog = await Promise.all(
      traces.map(async (trace) => {
        const rows = await computer({ ...told, source: { trace } }, parts, ignore);
        return rows.map((row) => Number(row.aaeHours ?? Number.POSITIVE_INFINITY));
      }),
    );
    for (const settings of candidates) onMeasured(settings);
    return candidates.map((_, index) => byLog.map((errors) => errors[index] as number));
  };
}

/** Against such an error none is smaller. @throws RangeError naming the log and the remedy */
function assertTellsErrors({ trace, range }: Validation, hours: number): void {
  if (hours > 0 && Number.isFinite(hours)) return;
  const why = hours === 0 ? 'every wait is forecast exactly' : 'no wait could be scored';
  throw new RangeError(`${trace}: of its validation jobs, ${range}, ${why}; tune on logs with more jobs that wait`);
}

const WHOLE = { from: 0, count: Number.MAX_SAFE_INTEGER };
/** A smaller gain is chance. */
const LEAST_GAIN = 1e-3;
