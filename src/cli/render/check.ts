import { formatSeconds } from '../../domain/duration.ts';
import { barInWords } from '../../domain/site.ts';
import type { SiteCheckAnswer } from '../client/answers.ts';
import colors from './colors.ts';
import { renderTable } from './table.ts';

/** What a site said, question by question, and what that comes to. */
export function renderCheck(check: SiteCheckAnswer): string {
  const table = renderTable(
    ['asked', 'result', 'took'],
    check.verbs.map(({ verb, result, fault, milliseconds }) => [
      verb,
      fault === null ? result.toLowerCase().replace('_', ' ') : colors.red(fault),
      result === 'NOT_TRIED' ? null : `${Math.round(milliseconds)} ms`,
    ]),
  );
  return [table, ...figures(check), verdict(check)].join('\n');
}

function figures(check: SiteCheckAnswer): string[] {
  const { processors, queues, waitingJobs, runningJobs, recentRecords, clockSkewSeconds } = check;
  const names = queues?.map(({ name, isDefault }) => (isDefault ? `${name} (default)` : name)).join(', ');
  const accounting = check.accounting
    ? `ends of jobs are known ${formatSeconds(check.accountingLagSeconds)} later at the latest`
    : 'none: no history, and ends of jobs are soon forgotten';
  return [
    ...line('processors', processors),
    ...line('queues', names),
    ...(queues ?? []).flatMap((queue) => (queue.bar === null ? [] : [`queue ${queue.name} ${barInWords(queue)}`])),
    ...line('jobs', runningJobs === null ? null : `${runningJobs} running, ${waitingJobs} waiting`),
    ...line('records', recentRecords === null ? null : `${recentRecords} of the last day`),
    ...line('accounting', accounting),
    ...check.identities.flatMap(({ tenant, user, fault }) =>
      line(`tenant ${tenant} as ${user}`, fault === null ? 'works' : colors.red(fault)),
    ),
    ...line('clock', clockSkewSeconds === null ? null : aheadOrBehind(clockSkewSeconds)),
  ];
}

function aheadOrBehind(skewSeconds: number): string {
  const size = formatSeconds(Math.abs(skewSeconds));
  if (size === '0 s') return 'as ours';
  return `${size} ${skewSeconds < 0 ? 'behind' : 'ahead of'} ours`;
}

function line(what: string, value: string | number | null | undefined): string[] {
  return value === null || value === undefined || value === '' ? [] : [`${what}: ${value}`];
}

function verdict({ passed }: SiteCheckAnswer): string {
  if (passed) return colors.green('it answers whatever it is asked');
  return colors.red("it cannot be used like that from the API's machine, whose log has the site's own words");
}
