import type { ExperimentRow } from '../experiment.ts';

/**
 * A log of Tables VI and VII of hariharan-end-to-end-predictions: success rate and coverage in percent, and the average
 * absolute error of the point in minutes where the paper tells it.
 */
interface PaperLog {
  readonly log: string;
  readonly rows: readonly (readonly [predictor: string, success: number, coverage: number, minutes: number | null])[];
}

const PAPER_LOGS: readonly PaperLog[] = [
  {
    log: 'ANL-Intrepid',
    rows: [
      ['min-max', 89, 100, null],
      ['smith', 67, 156, 50],
      ['li', 71, 102, 48],
      ['range-set', 84, 17, 43],
    ],
  },
  {
    log: 'HPC2N',
    rows: [
      ['min-max', 83, 100, null],
      ['smith', 63, 166, 46],
      ['li', 72, 140, 67],
      ['range-set', 77, 19, 64],
    ],
  },
  {
    log: 'SDSC-Par',
    rows: [
      ['min-max', 89, 100, null],
      ['smith', 70, 145, 41],
      ['li', 75, 113, 58],
      ['range-set', 78, 8, 36],
    ],
  },
  {
    log: 'SDSC-SP2',
    rows: [
      ['min-max', 79, 100, null],
      ['smith', 69, 339, 56],
      ['li', 76, 213, 69],
      ['range-set', 81, 26, 43],
    ],
  },
];

/** The paper's rows of Tables VI and VII for a trace; none for a log that is not in them. */
export function paperRowsOf(trace: string): ExperimentRow[] {
  const rows = PAPER_LOGS.find(({ log }) => trace.startsWith(log))?.rows ?? [];
  return rows.map(([name, success, coveragePercent, minutes]) => ({
    name: `paper/${name}`,
    successRate: success / 100,
    coveragePercent,
    ...(minutes === null ? {} : { maeSeconds: 60 * minutes }),
  }));
}

/** What to know before ours are compared with them. */
export function paperNotesOf(trace: string): string[] {
  if (paperRowsOf(trace).length === 0) return [];
  return [
    'The paper has copies of the logs with other jobs, scores completed ones and knows their groups. Ranges around points are centred on the point here, on the actual runtime in the paper.',
  ];
}
