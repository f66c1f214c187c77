import type { ArrayReport } from './run-array.ts';

/** What came of arrays, in a table of Markdown. */
export function describeArrays(reports: readonly ArrayReport[]): string {
  const head = [
    ...['over', 'tasks', 'kills', 'lost', 'doubled', 'unknown jobs', 'most at a site (limit)'],
    ...['call, s', 'settled, s', 'hand-over p50 / p99, ms', 'CPU a task: service + PostgreSQL, ms'],
  ];
  const rows = reports.map((report) => {
    const { mostAtOnce, limits, handOverMilliseconds, cpuMilliseconds } = report;
    const most = Object.entries(mostAtOnce).map(([site, count]) => `${site} ${count} (${limits[site]})`);
    const handOver = [0.5, 0.99].map((share) => quantile(handOverMilliseconds, share).toFixed(0));
    return [
      ...[report.what, report.tasks, report.kills, report.lost, report.doubled, report.unknown, most.join(', ')],
      ...[report.callSeconds.toFixed(1), report.settledSeconds.toFixed(0), handOver.join(' / ')],
      `${cpuMilliseconds.service.toFixed(0)} + ${cpuMilliseconds.postgres.toFixed(0)}`,
    ];
  });
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Whether anything was lost or doubled, or a site had more than its limit. */
export function isAsPromised({ lost, doubled, unknown, mostAtOnce, limits }: ArrayReport): boolean {
  const tooMany = Object.entries(mostAtOnce).some(([site, most]) => most > (limits[site] ?? 0));
  return lost === 0 && doubled === 0 && unknown === 0 && !tooMany;
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
