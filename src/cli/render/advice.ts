import { formatSeconds } from '../../domain/duration.ts';
import type { AdviceAnswer, WaitBoundsAnswer, WalltimeAdviceAnswer } from '../client/advice-answers.ts';
import { duration, percent } from './objects.ts';
import { NO_SITE } from './sites.ts';
import { renderTable } from './table.ts';

/** Which walltimes to ask for, a line for each site and risk; below that why there is none, or why it risks more. */
export function renderAdvice(sites: readonly WalltimeAdviceAnswer[]): string {
  if (sites.length === 0) return NO_SITE;
  const rows = sites.flatMap(rowsOf);
  const titles = ['site', 'risk', 'ask for', 'median wait', '90 % bound', 'shorter by', 'rests on'];
  const table = rows.length > 0 ? [renderTable(titles, rows)] : [];
  return [...table, ...sites.flatMap(reasonsOf)].join('\n');
}

function rowsOf({ site, runtime, requestedWait, advice }: WalltimeAdviceAnswer): string[][] {
  const rests = `${runtime?.sampleSize ?? 0} runtimes`;
  const requested = requestedWait ? [[site.name, 'as requested', '-', ...waitCells(requestedWait), '-', '-']] : [];
  return [
    ...requested,
    ...advice.map((made) => [
      site.name,
      percent(made.risk),
      duration(made.walltimeSeconds),
      ...waitCells(made.wait),
      shorterBy(made),
      rests,
    ]),
  ];
}

function waitCells(wait: WaitBoundsAnswer | null): string[] {
  return [duration(wait?.medianSeconds), duration(wait?.bound90Seconds)];
}

function shorterBy({ medianWaitSavedSeconds: saved }: AdviceAnswer): string {
  if (saved === null) return '-';
  return saved < 0 ? `${formatSeconds(-saved)} longer` : formatSeconds(saved);
}

function reasonsOf({ site, advice, explanation }: WalltimeAdviceAnswer): string[] {
  const reasons = advice.flatMap(({ risk, reason }) => (reason ? [`${site.name}, ${percent(risk)}: ${reason}`] : []));
  return explanation ? [explanation] : reasons;
}
