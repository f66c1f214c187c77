import type { ExperimentRow, Parameters } from '../experiment.ts';

/** Minutes of wait and run of Table IX: baseline, then delayed and molded. */
const TABLE_IX: readonly (readonly [log: string, number, number, number, number])[] = [
  ['ANL-Intrepid', 43, 76, 26, 57],
  ['HPC2N', 68, 265, 47, 180],
  ['SDSC-BLUE', 91, 65, 63, 44],
  ['SDSC-Par', 114, 89, 71, 42],
  ['SDSC-SP2', 200, 142, 153, 79],
];

/** The paper's figures for its own copy of the log, with molding; none for another log. */
export function delayPaperRows(trace: string, _: Parameters): readonly ExperimentRow[] {
  return TABLE_IX.filter(([log]) => trace.startsWith(log)).flatMap(([, wait, run, waitAfter, runAfter]) => {
    const row = (name: string, waited: number, ran: number) => ({
      name,
      meanResponseSeconds: 60 * (waited + ran),
      reductionPercent: Math.round(1000 * (1 - (waited + ran) / (wait + run))) / 10,
      meanWaitSeconds: 60 * waited,
      meanRunSeconds: 60 * ran,
    });
    return [row('paper/baseline', wait, run), row('paper/molding+delay', waitAfter, runAfter)];
  });
}

/** How what is done here differs from the paper's. */
export function delayNotes(_trace: string): string[] {
  return [
    'The paper delays jobs that it molds, too: compare molding+plan with molding. In the other rows a job stays as it is, \
so that what is seen is what delaying does. What is drawn for a molded job at a size is the same in every row.',
    'Jobs that come while one is held queue behind it and keep their distances in time. The paper does not say what \
becomes of those that come once it has gone while others are still held: here they go with the last of them.',
  ];
}
