import type { SubmissionHook } from '../../sim/submission-hook.ts';
import type { Workload } from '../../sim/workload.ts';
import { WorkloadError } from '../../sim/workload-error.ts';
import type { Experiment, ExperimentRow, PartInput } from '../experiment.ts';
import { rounded } from '../report/rounded.ts';
import { machineOf } from '../simulate.ts';
import { type DelayFigures, delayFigures, type JobRange, responseSeconds } from './delay-figures.ts';
import { delayNotes, delayPaperRows } from './delay-paper.ts';
import { type DelaySchedule, delaySchedule } from './delay-schedule.ts';
import { delayVariant } from './delay-variants.ts';
import { DelayedSubmissions } from './delayed-submissions.ts';
import { oneAtATime } from './one-at-a-time.ts';

const ONE_AT_A_TIME = 'one-at-a-time';

const VARIANTS = [
  ...['plan', 'plan/true', 'plan@0', 'then:wait/apq', 'then:wait/apq@0', 'then:wait/gridcast'],
  ...['lead:wait/gridcast', 'lead:wait/gridcast@0', 'blind', ONE_AT_A_TIME],
  ...['molding', 'molding+plan', 'molding+plan@0'],
];

/**
 * Jobs held back where their response is predicted lower when they are submitted later: Table IX of
 * hariharan-end-to-end-predictions without its molding, and what explains it.
 */
export const delayExperiment: Experiment = {
  name: 'delay',
  describe: 'what delayed submissions do to responses under EASY (Table IX of hariharan-end-to-end-predictions)',
  parameters: {
    variants: VARIANTS.join(','),
    history: 10_000,
    jobs: 6000,
    holdQueue: true,
    runtimes: 'runtime/gridcast',
    every: 5,
    settings: '',
    snapshotSeconds: 300,
    processors: 0,
  },
  parts({ variants, runtimes, settings, history, jobs, every }) {
    for (const [name, value] of Object.entries({ history, jobs, every })) {
      const valid = Number.isInteger(value) && Number(value) >= (name === 'history' ? 0 : 1);
      if (!valid) throw new RangeError(`parameter ${name} must be a whole number from 1, not ${value}`);
    }
    const names = String(variants).split(',');
    for (const name of names) {
      const told = { runtimes: String(runtimes), settings: String(settings), range: { from: 0, to: 0 }, seed: 0 };
      if (name !== ONE_AT_A_TIME) delayVariant(name, told);
    }
    return ['baseline', ...names];
  },
  runPart(part, input) {
    const told = toldOf(input);
    const baseline = delaySchedule(told.workload, told);
    const before = delayFigures(baseline, told.workload, told.range, told.processors);
    if (part === 'baseline') return [{ name: part, ...rowOf(before, before) }];
    const { onProgress } = input;
    if (part === ONE_AT_A_TIME) {
      const options = { ...told.range, processors: told.processors, every: Number(input.parameters.every), onProgress };
      return [oneAtATime(told.workload, baseline, options)];
    }
    return [variantRow(part, input, told, { baseline, before })];
  },
  paperRows: delayPaperRows,
  notes: delayNotes,
  tables: [
    {
      title: 'Table IX',
      metrics: [
        ...['jobs', 'meanResponseSeconds', 'reductionPercent', 'meanWaitSeconds', 'meanRunSeconds', 'utilization'],
        ...['bestReductionPercent', 'lowerShare', 'lowerByThresholdShare', 'waitedShare'],
      ],
    },
    {
      title: 'who was held back',
      metrics: [
        ...['heldJobs', 'behindJobs', 'meanDelaySeconds', 'predictedReductionPercent'],
        ...['heldReductionPercent', 'heldLowerShare'],
      ],
    },
  ],
};

interface Told {
  readonly workload: Workload;
  readonly range: JobRange;
  readonly processors: number;
}

function toldOf({ workload: whole, parameters }: PartInput): Told {
  const history = Number(parameters.history);
  const to = Math.min(whole.length, history + Number(parameters.jobs));
  if (to <= history) {
    throw new WorkloadError(whole.name, null, `it has ${whole.length} jobs, none after the first ${history} (history)`);
  }
  const workload = whole.slice(0, to);
  return {
    workload,
    range: { from: history, to },
    processors: machineOf(whole, Number(parameters.processors) || undefined),
  };
}

function variantRow(
  name: string,
  { parameters, seed, onProgress }: PartInput,
  { workload, range, processors }: Told,
  { baseline, before }: { readonly baseline: DelaySchedule; readonly before: DelayFigures },
): ExperimentRow {
  const { runtimes: predictor, settings, snapshotSeconds, holdQueue } = parameters;
  const common = { runtimes: String(predictor), settings: String(settings), range, seed };
  const { judge, leastReduction, listeners, runtimes, sizes } = delayVariant(name, common);
  const submissions = new DelayedSubmissions(judge, { ...range, leastReduction, holdsOthers: holdQueue === true });
  const atSubmission: SubmissionHook = (arrival, site) => {
    const job = submissions.atSubmission(arrival, site);
    return sizes && job && job.submitAt <= arrival.at ? sizes.shape(arrival, site) : job;
  };
  const told = { processors, atSubmission, listeners, runtimes, snapshotSeconds: Number(snapshotSeconds), onProgress };
  const schedule = delaySchedule(workload, told);
  const figures = delayFigures(schedule, workload, range, processors);
  return {
    name: `delay/${name}`,
    ...rowOf(figures, before),
    ...heldFigures(submissions, workload, schedule, baseline),
  };
}

function rowOf(figures: DelayFigures, before: DelayFigures): Record<string, number> {
  return {
    jobs: figures.jobs,
    meanResponseSeconds: rounded(figures.meanResponseSeconds, 1) as number,
    reductionPercent: rounded(100 * (1 - figures.meanResponseSeconds / before.meanResponseSeconds), 2) as number,
    meanWaitSeconds: rounded(figures.meanWaitSeconds, 1) as number,
    meanRunSeconds: rounded(figures.meanRunSeconds, 1) as number,
    utilization: rounded(figures.utilization, 4) as number,
  };
}

/** What was predicted of those who were held back, and what came of it. */
function heldFigures(
  { heads, behindSeconds }: DelayedSubmissions,
  workload: Workload,
  schedule: DelaySchedule,
  baseline: DelaySchedule,
): Record<string, number> {
  const counts = { heldJobs: heads.length, behindJobs: behindSeconds.length };
  if (heads.length === 0) return counts;
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const after = heads.map(({ number }) => responseSeconds(schedule, workload, number));
  const before = heads.map(({ number }) => responseSeconds(baseline, workload, number));
  const predicted = heads.map(({ predicted: { atOnceSeconds, delayedSeconds } }) => 1 - delayedSeconds / atOnceSeconds);
  const delays = [...heads.map(({ arrivedAt, submitAt }) => submitAt - arrivedAt), ...behindSeconds];
  const lower = after.filter((seconds, index) => seconds < (before[index] as number));
  return {
    ...counts,
    meanDelaySeconds: rounded(sum(delays) / delays.length, 1) as number,
    predictedReductionPercent: rounded((100 * sum(predicted)) / predicted.length, 1) as number,
    heldReductionPercent: rounded(100 * (1 - sum(after) / sum(before)), 1) as number,
    heldLowerShare: rounded(lower.length / heads.length, 3) as number,
  };
}
