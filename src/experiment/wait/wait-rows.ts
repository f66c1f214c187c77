import { COVERAGE_LEVELS } from '../../predict/spread-scorer.ts';
import { WAIT_CLASS_ENDS_SECONDS } from '../../predict/wait-scores.ts';
import type { ExperimentRow } from '../experiment.ts';
import { hours, rounded } from '../report/rounded.ts';
import { CLASS_LEVELS, type ClassCalibration } from './class-calibration.ts';
import type { WaitRowScore } from './wait-scoring.ts';

/**
 * AAE in hours of the jobs that waited less than 100 s, then less than 1,000 s and so on, and of those above (figure
 * 5).
 */
export const WAIT_CLASS_METRICS = WAIT_CLASS_ENDS_SECONDS.map((end, i) =>
  Number.isFinite(end) ? `aaeBelow${end}sHours` : `aaeFrom${WAIT_CLASS_ENDS_SECONDS[i - 1]}sHours`,
);
export const COVERAGE_METRICS = COVERAGE_LEVELS.map((level) => `coverage${level * 100}`);
export const CLASS_METRICS = CLASS_LEVELS.map((level) => `class${level * 100}`);
/** How the levels came true in one class of jobs. */
export function classRowOf(
  name: string,
  { name: className, jobs, shares, deviationPoints }: ClassCalibration,
): ExperimentRow {
  const levels = CLASS_METRICS.map((metric, i) => [metric, rounded(shares[i] as number, 4) as number] as const);
  return {
    name: `${name}, ${className}`,
    ...Object.fromEntries(levels),
    deviationPoints: rounded(deviationPoints, 2) as number,
    classJobs: jobs,
  };
}

/** What a predictor's forecasts came to, without what rests on no job. */
export function rowOf(name: string, { score, classes: [worst] }: WaitRowScore): ExperimentRow {
  const row: Record<string, number | null> = {
    aaeHours: hours(score.averageAbsoluteErrorSeconds),
    scaledAae: rounded(score.scaledAverageAbsoluteError, 2),
  };
  score.classes.forEach(({ averageAbsoluteErrorSeconds }, i) => {
    row[WAIT_CLASS_METRICS[i] as string] = hours(averageAbsoluteErrorSeconds);
  });
  COVERAGE_LEVELS.forEach((level, i) => {
    const share = score.coverage.find((one) => one.level === level)?.share ?? null;
    row[COVERAGE_METRICS[i] as string] = rounded(share, 4);
  });
  row.medianBound95Hours = hours(score.coverage.find(({ level }) => level === 0.95)?.medianBoundSeconds ?? null);
  row.medianWaitHours = hours(score.medianWaitSeconds);
  row.pinballHours = hours(score.pinballLossSeconds);
  row.brier = rounded(score.brierScore, 4);
  row.crpsHours = hours(score.crpsSeconds, 3);
  row.relativeError = rounded(score.relativeError, 3);
  row.worstClassDeviation = rounded(worst?.deviationPoints ?? null, 2);
  const known = Object.entries(row).filter((entry): entry is [string, number] => entry[1] !== null);
  const counts = { jobs: score.count, unanswered: score.unansweredCount, crpsJobs: score.crpsCount };
  return { name, ...counts, ...Object.fromEntries(known), ...(worst && { worstClass: worst.name }) };
}
