import { scorePast } from '../../predict/past/score-past.ts';
import { watchPast } from '../../predict/past/watched-past.ts';
import { RUNTIME } from '../../predict/quantities.ts';
import { createPredictor } from '../../predict/registry.ts';
import { COVERAGE_LEVELS, type SpreadScore } from '../../predict/spread-scorer.ts';
import { toRecords } from '../../sim/records.ts';
import type { Experiment, ExperimentRow } from '../experiment.ts';
import { hours, rounded } from '../report/rounded.ts';
import { machineOf } from '../simulate.ts';
import { PAPER_TEST_SET, pickWaitJobs } from '../wait/wait-jobs.ts';

/**
 * How well runtimes are forecast at submission. Only jobs that completed are scored; those before the scored range only
 * teach.
 */
export const runtimeExperiment: Experiment = {
  name: 'runtime',
  describe: 'how well runtimes are forecast at submission, by every predictor',
  parameters: { predictors: [...RUNTIME.predictors.keys()].join(','), scored: PAPER_TEST_SET, every: 1, processors: 0 },
  parts: ({ predictors }) =>
    String(predictors)
      .split(',')
      .filter((name) => createPredictor(RUNTIME, name)),
  runPart(part, { workload, parameters, onProgress }) {
    const jobs = pickWaitJobs(toRecords(workload), String(parameters.scored), 'scored', Number(parameters.every));
    const processors = machineOf(workload, Number(parameters.processors) || undefined);
    const past = watchPast(jobs.records, { processors, snapshotSeconds: Number.POSITIVE_INFINITY });
    const options = { isScored: (job: number) => jobs.isScored[job] === 1, onProgress };
    return [
      rowOf(part, scorePast(RUNTIME, createPredictor(RUNTIME, part), past, options), `${jobs.first}-${jobs.last}`),
    ];
  },
  tables: [
    { title: 'errors', metrics: ['aaeHours', 'pinballHours', 'jobs', 'unanswered', 'scored'] },
    {
      title: 'share of runtimes within each level',
      metrics: COVERAGE_LEVELS.map((level) => `coverage${level * 100}`),
    },
  ],
};

function rowOf(name: string, score: SpreadScore, scored: string): ExperimentRow {
  const { count, unansweredCount, averageAbsoluteError, pinballLoss, coverage } = score;
  const errors = { aaeHours: hours(averageAbsoluteError), pinballHours: hours(pinballLoss) };
  const levels = coverage.map(({ level, share }) => [`coverage${level * 100}`, rounded(share, 4)]);
  const known = Object.entries(errors).filter(([, value]) => value !== null);
  return { name, jobs: count, unanswered: unansweredCount, scored, ...Object.fromEntries([...known, ...levels]) };
}
