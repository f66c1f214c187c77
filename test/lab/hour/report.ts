import type { Comparison } from '../compare/compare.ts';
import type { PromiseTally } from '../compare/promises.ts';
import type { HourReport } from './hour.ts';

const MOST_LINES = 40;

/** The comparison with accounting in lines for people. */
export function describeComparison({ executions, nativeRuns, mismatches }: Comparison): string {
  const lines = mismatches
    .slice(0, MOST_LINES)
    .map(({ what, site, executionId, nativeId, told, accounted }) =>
      [`  ${what} at ${site}, job ${nativeId ?? '-'}`, `told ${told}`, `accounted ${accounted}`, executionId].join(
        '; ',
      ),
    );
  const counted = `${executions} executions, ${nativeRuns} native runs, ${mismatches.length} mismatches`;
  return [counted, ...lines].join('\n');
}

/** Promised against kept in lines for people. */
export function describePromises(tallies: readonly PromiseTally[]): string {
  const lines = tallies.map(({ name, decided, promised, kept, twoStandardErrors }) => {
    const shares = [promised, kept, twoStandardErrors].map((share) => share.toFixed(3));
    return `  ${name.padEnd(10)} ${String(decided).padStart(4)} decided, promised ${shares[0]}, kept ${shares[1]} +- ${shares[2]}`;
  });
  return ['promises', ...lines].join('\n');
}

/** Everything that came of a run on the lab. */
export function describeHour(report: HourReport): string {
  const { callers, kills, looks, wakeUps, neighbourJobs, unsettled } = report;
  const { accepted, refused, cancelled, repeated, faults } = callers;
  const others = Object.entries(neighbourJobs).map(([name, count]) => `${name} ${count}`);
  return [
    `other people's jobs: ${others.join(', ')}`,
    `calls: ${accepted} accepted, ${refused} refused, ${cancelled} cancelled, ${repeated} sent again, ${faults.length} without an answer`,
    `kills: ${kills}`,
    'looks a minute',
    ...looks.map(
      ({ site, meanPerMinute, mostPerMinute, fault }) =>
        `  ${site.padEnd(10)} mean ${meanPerMinute.toFixed(1)}, most ${mostPerMinute}${fault === null ? '' : `; ${fault}`}`,
    ),
    `wake-ups: ${wakeUps.count}, p50 < ${wakeUps.p50Seconds} s, p99 < ${wakeUps.p99Seconds} s`,
    describePromises(report.promises),
    describeComparison(report.comparison),
    ...(unsettled.length > 0 ? [`not settled: ${unsettled.join(', ')}`] : []),
  ].join('\n');
}
