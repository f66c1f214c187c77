import { toRecords } from '../../sim/records.ts';
import { WorkloadError } from '../../sim/workload-error.ts';
import type { Experiment, ExperimentRow, PartInput } from '../experiment.ts';
import { scriptedRecords } from '../look-ahead/scripted-records.ts';
import { rounded } from '../report/rounded.ts';
import { machineOf } from '../simulate.ts';
import { foreseenTurnarounds, turnaroundScore } from './foreseen-turnarounds.ts';
import { knowledgeNamed } from './knowledge.ts';
import { turnaroundNotes, turnaroundPaperRows } from './turnaround-paper.ts';

/** Whose gain over it is told. */
const REQUESTED = 'baseline/requested';

/**
 * How well turnarounds are foreseen at submission, by a copy of the site that goes on with forecast runtimes: section
 * 4.2 of wyatt-prionn.
 */
export const turnaroundExperiment: Experiment = {
  name: 'turnaround',
  describe: 'how well turnarounds are foreseen by running a copy of the site on (figure 11 of wyatt-prionn)',
  parameters: {
    runtimes: [REQUESTED, 'runtime/gridcast', 'runtime/gridcast*16', 'true'].join(','),
    history: 2000,
    every: 1,
    scripts: false,
    settings: '',
    processors: 0,
  },
  parts({ runtimes, history, every, settings }) {
    for (const [name, value] of Object.entries({ history, every })) {
      const valid = Number.isInteger(value) && Number(value) >= (name === 'history' ? 0 : 1);
      if (!valid) throw new RangeError(`parameter ${name} must be a whole number from 1, not ${value}`);
    }
    const names = String(runtimes).split(',');
    for (const name of names) knowledgeNamed(name, { settings: String(settings), seed: 1 });
    return names;
  },
  runPart: (part, input) => rowsOf(part, input),
  conclude(rows) {
    const base = Number(rows.find(({ name }) => name.startsWith(REQUESTED))?.meanAccuracy);
    return rows.map((row) => {
      const gain = 100 * (Number(row.meanAccuracy) - base);
      return Number.isFinite(gain) ? { ...row, gainPoints: rounded(gain, 1) as number } : row;
    });
  },
  paperRows: turnaroundPaperRows,
  notes: turnaroundNotes,
  tables: [
    {
      title: 'relative accuracy of turnarounds',
      metrics: ['meanAccuracy', 'medianAccuracy', 'accuracy75', 'accuracy95', 'gainPoints', 'jobs', 'maeSeconds'],
    },
    {
      title: 'of those that did not start at once',
      metrics: ['waitedJobs', 'waitedMeanAccuracy', 'waitedMedianAccuracy'],
    },
  ],
};

function rowsOf(part: string, { workload, parameters, seed, onProgress }: PartInput): ExperimentRow[] {
  const from = Number(parameters.history);
  if (workload.length <= from) {
    throw new WorkloadError(
      workload.name,
      null,
      `it has ${workload.length} jobs, none after the first ${from} (history)`,
    );
  }
  const knowledge = knowledgeNamed(part, { settings: String(parameters.settings), seed });
  const foreseen = foreseenTurnarounds(workload, knowledge, {
    processors: machineOf(workload, Number(parameters.processors) || undefined),
    records: parameters.scripts === true ? scriptedRecords(workload, seed) : toRecords(workload),
    from,
    every: Number(parameters.every),
    onProgress,
  });
  const score = turnaroundScore(foreseen);
  if (!score) return [{ name: part, jobs: 0 }];
  const waited = turnaroundScore(foreseen.filter(({ hasWaited }) => hasWaited));
  return [
    {
      name: parameters.scripts === true ? `${part}+generated-scripts` : part,
      jobs: score.jobs,
      meanAccuracy: rounded(score.meanAccuracy, 4) as number,
      medianAccuracy: rounded(score.medianAccuracy, 4) as number,
      accuracy75: rounded(score.accuracy75, 4) as number,
      accuracy95: rounded(score.accuracy95, 4) as number,
      maeSeconds: rounded(score.maeSeconds, 1) as number,
      waitedJobs: waited?.jobs ?? 0,
      ...(waited && {
        waitedMeanAccuracy: rounded(waited.meanAccuracy, 4) as number,
        waitedMedianAccuracy: rounded(waited.medianAccuracy, 4) as number,
      }),
    },
  ];
}
