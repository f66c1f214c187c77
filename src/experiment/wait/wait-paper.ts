import type { ExperimentRow } from '../experiment.ts';

/**
 * A log of Table V of hariharan-end-to-end-predictions: AAE in hours and scaled AAE, and how its jobs differ from those
 * of our copy.
 */
interface PaperLog {
  readonly log: string;
  readonly rows: readonly (readonly [predictor: string, scaledAae: number, aaeHours: number])[];
  readonly differs: string;
}

const PAPER_LOGS: readonly PaperLog[] = [
  {
    log: 'ANL-Intrepid',
    rows: [
      ['qbets', 35.15, 25.87],
      ['ibl', 0.93, 5.68],
      ['apq', 0.55, 4.52],
    ],
    differs: 'The paper has the same 68,936 jobs, and the same test set (20,001 to 60,000, here 20000-59999).',
  },
  {
    log: 'HPC2N',
    rows: [
      ['qbets', 3020.44, 30.99],
      ['ibl', 40.82, 7.65],
      ['apq', 23.29, 5.97],
    ],
    differs:
      'The paper counts 318,307 completed jobs of the uncleaned log, the cleaned one has 202,871: its test set covers other, partly the same months.',
  },
  {
    log: 'SDSC-Par',
    rows: [
      ['qbets', 1078.39, 14.99],
      ['ibl', 6.63, 0.88],
      ['apq', 2.87, 0.69],
    ],
    differs:
      'The paper counts 32,199 completed jobs, our copy (1996, cleaned) 31,321; it has no requested walltimes. In our copy the twenty longest waits of the test set alone (300 to 800 h, jobs that were held back) add 0.8 h to the AAE of any predictor that does not foresee them, so the paper’s 0.69 h cannot come from the same waits.',
  },
  {
    log: 'SDSC-SP2',
    rows: [
      ['qbets', 391.61, 44.37],
      ['ibl', 51.48, 9.42],
      ['apq', 11.81, 7.84],
    ],
    differs:
      'The paper counts 54,006 completed jobs of the uncleaned log; cleaning took away 10,889 of them, nearly all before the log’s job 28,553, so its test set (20,001 to the end) is about our completed jobs 11,400 to 43,116: --set scored=11400-43116 --set uncompleted=removed.',
  },
];

/** The paper's rows of Table V for a trace; none for a log that is not in it. */
export function paperRowsOf(trace: string): ExperimentRow[] {
  const rows = paperLogOf(trace)?.rows ?? [];
  return rows.map(([name, scaledAae, aaeHours]) => ({ name: `paper/${name}`, aaeHours, scaledAae }));
}

/** How a trace differs from the paper's log of the same name. */
export function paperNotesOf(trace: string): string[] {
  const differs = paperLogOf(trace)?.differs;
  return differs === undefined ? [] : [differs];
}

function paperLogOf(trace: string): PaperLog | undefined {
  return PAPER_LOGS.find(({ log }) => trace.startsWith(log));
}
