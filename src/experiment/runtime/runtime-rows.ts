import { COVERAGE_LEVELS } from '../../predict/spread-scorer.ts';
import type { ExperimentRow } from '../experiment.ts';
import { rounded } from '../report/rounded.ts';
import type { RuntimeScores } from './score-runtimes.ts';

/** Names of the metrics that tell how often each level held. */
export const COVERAGES: readonly string[] = COVERAGE_LEVELS.map((level) => `coverage${level * 100}`);

/** The row of a predictor; figures that rest on no job are left out. */
export function runtimeRow(name: string, { runtimes, ranges }: RuntimeScores): ExperimentRow {
  const { count, unansweredCount, averageAbsoluteError, pinballLoss, coverage } = runtimes.spread;
  const ranged = ranges.score();
  return rowOf(name, {
    jobs: count,
    unanswered: unansweredCount,
    maeSeconds: rounded(averageAbsoluteError, 1),
    medianAbsoluteErrorSeconds: rounded(runtimes.medianAbsoluteErrorSeconds, 1),
    underestimatedShare: rounded(runtimes.underestimatedShare, 4),
    relativeAccuracy: rounded(runtimes.relativeAccuracy, 4),
    relativeAccuracyOfRelativePoint: rounded(runtimes.relativeAccuracyOfRelativePoint, 4),
    ...Object.fromEntries(coverage.map(({ share }, i) => [COVERAGES[i], rounded(share, 4)])),
    pinballSeconds: rounded(pinballLoss, 1),
    successRate: rounded(ranged?.successRate ?? null, 4),
    coveragePercent: rounded(ranged?.coveragePercent ?? null, 2),
    rangedJobs: ranged?.rangedJobs ?? null,
  });
}

/** The row of its 90 % bound as a walltime; none where no job requests one. */
export function bound90Row(name: string, { runtimes: { bound90 } }: RuntimeScores): ExperimentRow[] {
  if (bound90 === null) return [];
  const { exceededShare, meanShareOfRequested } = bound90;
  const shares = { exceededShare: rounded(exceededShare, 4), meanShareOfRequested: rounded(meanShareOfRequested, 4) };
  return [rowOf(`${name}/bound90`, shares)];
}

function rowOf(name: string, figures: Readonly<Record<string, number | null>>): ExperimentRow {
  const known = Object.entries(figures).filter((entry): entry is [string, number] => entry[1] !== null);
  return { name, ...Object.fromEntries(known) };
}
