import { createWaitPredictor } from '../../predict/registry.ts';
import type { PredictorSettings } from '../../predict/settings.ts';
import { WaitScorer } from '../../predict/wait-scores.ts';
import { toRecords } from '../../sim/records.ts';
import type { Workload } from '../../sim/workload.ts';
import type { Experiment } from '../experiment.ts';
import { machineOf } from '../simulate.ts';
import { pickWaitJobs, type WaitJobs } from '../wait/wait-jobs.ts';
import { replayWaits } from '../wait/wait-replay.ts';

/** The validation set of one log, with its jobs to learn from first. */
export interface Validation {
  readonly trace: string;
  readonly range: string;
  readonly processors: number;
  readonly jobs: WaitJobs;
}

/**
 * How well a predictor does on the validation set of a log, a part for each of its settings as JSON. Tuning compares
 * these; it is no experiment of its own.
 */
export const validationExperiment: Experiment = {
  name: 'validation',
  describe: 'the error of a predictor on the validation set of a log, for each of several settings',
  parameters: { predictor: '', every: 1 },
  parts: () => [],
  runPart(settings, { workload, parameters }) {
    const validation = validationOf(workload, Number(parameters.every));
    const told = JSON.parse(settings) as PredictorSettings;
    return [{ name: settings, aaeHours: aaeHours(String(parameters.predictor), told, validation) }];
  },
};

/** The jobs of a log that teach and validate, of which one in `every` is scored. @throws WorkloadError for a bad log */
export function validationOf(workload: Workload, every: number): Validation {
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

/** The average absolute error of the predictor on the set, in hours; infinite where it says nothing. */
export function aaeHours(predictor: string, settings: PredictorSettings, { jobs, processors }: Validation): number {
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

const PAPER_VALIDATION_END = 20_000;
const TEACHING_SHARE = 0.6;
const SNAPSHOT_SECONDS = 300;
