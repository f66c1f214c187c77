import { TrainerAbsentError } from '../../predict/prionn/training.ts';
import { SCRIPT_DEFAULTS } from '../../sim/scripts/with-scripts.ts';
import type { Experiment, ExperimentRow, PartInput } from '../experiment.ts';
import { rounded } from '../report/rounded.ts';
import { machineOf } from '../simulate.ts';
import { askedPredictors, comparedPredictors, partOf } from './asked-predictors.ts';
import { embeddedJobs } from './embedded-jobs.ts';
import { followJobs } from './followed-jobs.ts';
import { SAID, saidBy } from './said-by-scripts.ts';
import { scriptRow } from './script-rows.ts';
import { scriptedJobs, uniqueShare, withoutText } from './scripted-jobs.ts';
import { scriptsNotes, scriptsPaperRows } from './scripts-paper.ts';

/** How well runtimes and IO are forecast from the text of jobs: figures 8 and 9 of wyatt-prionn. */
export const scriptsExperiment: Experiment = {
  name: 'scripts',
  describe: 'how well runtimes, bytes and bandwidths are forecast from the text of jobs (figures 8, 9 of wyatt-prionn)',
  parameters: {
    predictors: [SAID, comparedPredictors()].join(','),
    mostJobs: 3000,
    history: 500,
    noise: SCRIPT_DEFAULTS.noise,
    unrelated: SCRIPT_DEFAULTS.unrelatedShare,
    embedding: '',
    settings: '',
    processors: 0,
  },
  files: ['embedding'],
  parts(parameters) {
    for (const [name, least] of [
      ['mostJobs', 1],
      ['history', 0],
    ] as const) {
      const value = Number(parameters[name]);
      if (Number.isInteger(value) && value >= least) continue;
      throw new RangeError(`parameter ${name} must be a whole number from ${least}, not ${value}`);
    }
    return String(parameters.predictors).split(',');
  },
  runPart: async (part, input) => [await rowOrAbsence(part, input)],
  paperRows: scriptsPaperRows,
  notes: scriptsNotes,
  tables: [
    { title: 'runtime in whole minutes, as the paper', metrics: [...metricsOf('minutes'), 'jobs', 'unanswered'] },
    { title: 'runtime in seconds', metrics: metricsOf('runtime') },
    { title: 'bytes read', metrics: metricsOf('read') },
    { title: 'bytes written', metrics: metricsOf('written') },
    { title: 'read bandwidth in bytes for each second, as the paper', metrics: metricsOf('readBandwidth') },
    { title: 'write bandwidth, the same', metrics: metricsOf('writtenBandwidth') },
    {
      title: 'what it costs, and what it is of',
      metrics: ['learningCpuSeconds', 'cpuMillisecondsPerForecast', 'text', 'uniqueShare', 'leftOutJobs'],
    },
    { title: 'who cannot be taught here', metrics: ['absent'] },
  ],
};

function metricsOf(amount: string): string[] {
  return ['Accuracy', 'AccuracyMedian', 'RelativePoint', 'RelativePointMedian', 'Mae'].map((end) => `${amount}${end}`);
}

/** The row of a predictor; of one that cannot be taught on this machine only why. */
async function rowOrAbsence(part: string, input: PartInput): Promise<ExperimentRow> {
  try {
    return await rowOf(part, input);
  } catch (error) {
    if (error instanceof TrainerAbsentError) return { name: part, jobs: 0, absent: error.message };
    throw error;
  }
}

async function rowOf(part: string, input: PartInput): Promise<ExperimentRow> {
  const { workload, seed, parameters, onProgress } = input;
  const scripted = scriptedJobs(workload, seed, parameters);
  const { leftOutJobs } = scripted;
  const { isBlind } = partOf(part);
  const { records, settings } = await embeddedJobs(isBlind ? withoutText(scripted.records) : scripted.records, input);
  const told = { ...parameters, settings };
  const { scoresRuntime, ...asked } = part === SAID ? saidBy(scripted) : askedPredictors(part, told);
  const { jobs, cpu } = followJobs(records, asked, {
    processors: machineOf(workload, Number(parameters.processors) || undefined),
    history: Number(parameters.history),
    onProgress,
  });
  const text = isBlind ? 'none' : scripted.text;
  const unique = rounded(uniqueShare(scripted.records), 3) as number;
  return scriptRow(jobs, { name: part, scoresRuntime, cpu, facts: { text, uniqueShare: unique, leftOutJobs } });
}
