import type { ExperimentRow, Parameters } from '../experiment.ts';

const PAPER_LOG = 'ANL-Intrepid';

/**
 * What Tang et al. 2013 say of Intrepid. Percents are read off the text, where it says "around" they are what it says;
 * accuracies are those of all 275,858 jobs.
 */
const PAPER_ROWS: readonly ExperimentRow[] = [
  { name: 'paper/estimates/requested', jobs: 275_858, accuracyMean: 0.5, accuracyMedian: 0.5, naShare: 1 },
  { name: 'paper/estimates/runtime/adjusted-walltime:85', accuracyMedian: 0.71, ueShare: 0.1, beShare: 0.015 },
  { name: 'paper/scheme/user+project+walltime/all/no-threshold', accuracyMeanP70: 0.679 },
  ...schedules('wfp/selective', [['85', -22, -22, -28]]),
  ...schedules('wfp/regular', [['85', -15, -16, -19]]),
  ...schedules('fcfs/selective', [['85', -20, -22, -15]]),
];

function schedules(of: string, rows: readonly (readonly [string, number, number, number])[]): ExperimentRow[] {
  return rows.map(([percentile, waitChangePercent, slowdownChangePercent, weightedWaitChangePercent]) => {
    const name = `paper/${of}/runtime/adjusted-walltime:${percentile}`;
    return { name, waitChangePercent, slowdownChangePercent, weightedWaitChangePercent };
  });
}

/** The paper's figures for its own log, of other years; none for another log. */
export function walltimePaperRows(trace: string, _: Parameters): readonly ExperimentRow[] {
  return trace.startsWith(PAPER_LOG) ? PAPER_ROWS : [];
}

/** How a log and what is done here differ from the paper's. */
export function walltimeNotes(trace: string): string[] {
  const own = trace.startsWith(PAPER_LOG)
    ? "The archive's log of Intrepid is of January to August 2009; the paper's is of January 2009 to June 2011. "
    : 'The paper has figures for Intrepid alone. ';
  return [
    `${own}Of its 30 months it schedules the last 12: of a log its last two fifths are scored (scoredShare), the months \
before are scheduled, too, and teach. A month is 30 days.`,
    'No log tells projects: the queue is the project.',
    'The whole log is one schedule, where the paper begins each month with an empty machine. What is adjusted rests on \
jobs that ended before in that schedule; with past=log, in the log, where each job is asked about once for all schedules.',
  ];
}
