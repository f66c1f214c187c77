import { RUNTIME } from '../../predict/quantities.ts';
import { createPredictor } from '../../predict/registry.ts';
import { toRecords } from '../../sim/records.ts';
import type { Experiment, ExperimentRow, PartInput } from '../experiment.ts';
import { machineOf } from '../simulate.ts';
import { toldVariant } from '../told-settings.ts';
import { PAPER_TEST_SET, pickWaitJobs, type WaitJobs } from '../wait/wait-jobs.ts';
import { ALEA_PEEKING, aleaPeekingRow } from './alea-peeking.ts';
import { runtimeFigures } from './runtime-figures.ts';
import { paperNotesOf, paperRowsOf } from './runtime-paper.ts';
import { bound90Row, COVERAGES, runtimeRow } from './runtime-rows.ts';
import { scoreRuntimes } from './score-runtimes.ts';

/**
 * How well runtimes are forecast at submission: Tables VI and VII of hariharan-end-to-end-predictions, and how often
 * each bound held. Every job of the scored range that ran is scored, whatever its outcome; those before only teach.
 */
export const runtimeExperiment: Experiment = {
  name: 'runtime',
  describe: 'how well runtimes are forecast at submission, by every predictor (Tables VI and VII of hariharan)',
  parameters: {
    predictors: [...RUNTIME.predictors.keys(), ALEA_PEEKING].join(','),
    scored: PAPER_TEST_SET,
    every: 1,
    settings: '',
    walltimes: false,
    snapshotSeconds: 300,
    processors: 0,
  },
  parts: ({ predictors }) => String(predictors).split(','),
  runPart(part, input) {
    const { scored, every } = input.parameters;
    const jobs = pickWaitJobs(toRecords(input.workload), String(scored), 'scored', Number(every));
    return part === ALEA_PEEKING ? [aleaPeekingRow(jobs.records, jobs.isScored)] : scoredRows(part, jobs, input);
  },
  paperRows: paperRowsOf,
  notes: paperNotesOf,
  tables: [
    {
      title: 'errors of the point',
      metrics: [
        'maeSeconds',
        'medianAbsoluteErrorSeconds',
        'underestimatedShare',
        'relativeAccuracy',
        'relativeAccuracyOfRelativePoint',
        'jobs',
        'unanswered',
      ],
    },
    { title: 'share of runtimes within each level', metrics: [...COVERAGES, 'pinballSeconds'] },
    { title: 'the 90 % bound as a walltime', metrics: ['exceededShare', 'meanShareOfRequested'] },
    { title: 'walltimes by risk', metrics: ['walltimes', 'killedShare', 'shareOfRequested'] },
    { title: 'Table VI', metrics: ['successRate', 'coveragePercent', 'rangedJobs'] },
  ],
};

function scoredRows(part: string, jobs: WaitJobs, input: PartInput): ExperimentRow[] {
  const { workload, parameters, onProgress, onFigure } = input;
  const { name, settings } = toldVariant(part, parameters);
  const predictor = createPredictor(RUNTIME, name, settings);
  const scores = scoreRuntimes(predictor, jobs, {
    processors: machineOf(workload, Number(parameters.processors) || undefined),
    snapshotSeconds: Number(parameters.snapshotSeconds),
    onProgress,
  });
  for (const figure of runtimeFigures(part, scores.runtimes)) onFigure?.(figure);
  const walltimes = parameters.walltimes === true ? scores.walltimes.rows(part) : [];
  return [runtimeRow(part, scores), ...bound90Row(part, scores), ...walltimes];
}
