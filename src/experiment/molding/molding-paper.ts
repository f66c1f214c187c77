import type { ExperimentRow, Parameters } from '../experiment.ts';

/** Minutes of Table VIII: wait, run and response without and with molding. */
const TABLE_VIII = new Map([
  ['ANL-Intrepid', [61, 83, 144, 26, 41, 67]],
  ['HPC2N', [72, 289, 361, 50, 210, 260]],
  ['SDSC-Par', [102, 79, 181, 76, 51, 127]],
  ['SDSC-SP2', [198, 133, 331, 147, 98, 245]],
] as const);

/** The paper's figures for this log; none for one it did not use. */
export function moldingPaperRows(trace: string, _: Parameters): readonly ExperimentRow[] {
  const minutes = [...TABLE_VIII].find(([log]) => trace.startsWith(log))?.[1];
  if (!minutes) return [];
  const [wait, run, response, moldedWait, moldedRun, moldedResponse] = minutes;
  return [
    row('paper/baseline', wait, run, response, response),
    row('paper/molding', moldedWait, moldedRun, moldedResponse, response),
  ];
}

function row(name: string, wait: number, run: number, response: number, before: number): ExperimentRow {
  return {
    name,
    meanWaitSeconds: wait * 60,
    meanRunSeconds: run * 60,
    meanResponseSeconds: response * 60,
    reductionPercent: Math.round(1000 * (1 - response / before)) / 10,
  };
}

/** What to know before a log's rows are compared with the paper's. */
export function moldingNotes(): string[] {
  return [
    'The first jobs are history, the next are molded; of a log too short for both a third is history. Jobs without a \
positive runtime or size are left out. The paper has other copies of the logs.',
    'drawn: a molded job runs as long as one of its user at that size did (section VI-C), which flatters: it is not the \
same work. strict: processor-seconds are conserved, and grow by `growth` for every doubling above the own size.',
    'Sizes are those that the user ran before, the most frequent ones. Runtimes and waits are forecast from what had \
ended or started by then.',
  ];
}
