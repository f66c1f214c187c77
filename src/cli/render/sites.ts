import { formatSeconds } from '../../domain/duration.ts';
import { barInWords } from '../../domain/site.ts';
import type { LoadSlotAnswer, MaintenanceAnswer, QueueAnswer, SiteAnswer, WholeSiteAnswer } from '../client/answers.ts';
import colors from './colors.ts';
import { facets } from './facets.ts';
import { renderIo } from './io.ts';
import { renderTable } from './table.ts';
import { formatMoment } from './time.ts';

/** In place of an empty table. */
export const NO_SITE = 'no site is registered; `gridcast sites register` adds one';

/** Lines of a kind that a list shows of one site. */
const MOST_REMARKS = 3;

/**
 * Every site with its load, the age of its facts and the promises it kept; below that what keeps jobs from starting
 * there.
 */
export function renderSites(sites: readonly SiteAnswer[]): string {
  if (sites.length === 0) return NO_SITE;
  const table = renderTable(
    ['site', 'state', 'processors', 'in service', 'free', 'running', 'waiting', 'records', 'seen', 'promises kept'],
    sites.map((site) => [
      site.name,
      siteState(site),
      site.processors,
      site.usableProcessors,
      site.freeProcessors,
      site.runningJobs,
      site.waitingJobs,
      recordsOf(site),
      seen(site),
      kept(site) ?? '-',
    ]),
  );
  return [table, ...sites.flatMap(downTimeLines), ...sites.flatMap(remarksOn)].join('\n');
}

/** Everything about one site, a fact a line, its queues, and for admins the load of the next hours. */
export function renderSite(site: WholeSiteAnswer): string {
  const { processors, usableProcessors, freeProcessors, runningJobs, waitingJobs } = site;
  const sizes = [processors, known(usableProcessors, 'in service'), known(freeProcessors, 'free')];
  const facts = facets([
    ['site', site.name],
    ['id', site.id],
    ['adapter', site.adapter],
    ['state', siteState(site)],
    ['tags', site.tags?.join(', ') || null],
    ['seen', seen(site)],
    ['processors', sizes.filter((size) => size !== null).join(', ')],
    ['jobs', runningJobs === null ? null : `${runningJobs} running, ${waitingJobs} waiting`],
    ['records', String(recordsOf(site))],
    ['promises kept', kept(site)],
    ...site.maintenance.map((window, n) => [n === 0 ? 'maintenance' : '', describeWindow(window)] as const),
  ]);
  const load = site.loadForecast ? ['', renderLoad(site.loadForecast.slots)] : [];
  const io = site.ioForecast ? ['', renderIo(site.ioForecast)] : [];
  return [facts, ...downTimeLines(site), '', renderQueues(site.queues), ...load, ...io].join('\n');
}

/** What the jobs will ask for that arrive in the coming hours. */
function renderLoad(slots: readonly LoadSlotAnswer[]): string {
  if (slots.every(({ processors }) => processors === null)) return 'of the load to come nothing is known yet';
  return renderTable(
    ['hour from', 'processors asked for', 'median', '95 % bound', 'rests on'],
    slots.map(({ startsAt, processors, median, bound, sampleSize }) => [
      formatMoment(startsAt),
      processors === null ? null : processors.toFixed(1),
      median,
      bound,
      sampleSize,
    ]),
  );
}

function renderQueues(queues: readonly QueueAnswer[]): string {
  if (queues.length === 0) return 'its queues are not known yet';
  return renderTable(
    ['queue', 'largest job', 'in service', 'longest walltime', 'our jobs'],
    queues.map((queue) => [
      queue.isDefault ? `${queue.name} (default)` : queue.name,
      queue.maxProcessors ?? 'no limit',
      queue.usableProcessors,
      queue.maxWalltimeSeconds === null ? 'no limit' : formatSeconds(queue.maxWalltimeSeconds),
      queue.bar === null ? 'may start' : colors.yellow(barInWords(queue)),
    ]),
  );
}

/** Closed queues and maintenance, each in a line. */
function remarksOn({ name, queues, maintenance }: SiteAnswer): string[] {
  const closed = queues.filter(({ bar }) => bar !== null);
  return [
    ...atMost(name, 'closed queues', closed, (queue) => `queue ${queue.name} ${barInWords(queue)}`),
    ...atMost(name, 'windows', maintenance, (window) => describeWindow(window, ' are set aside')),
  ];
}

function atMost<Item>(site: string, what: string, items: readonly Item[], say: (item: Item) => string): string[] {
  const lines = items.slice(0, MOST_REMARKS).map((item) => `${site}: ${say(item)}`);
  const left = items.length - lines.length;
  const rest = left > 0 ? [`${site}: ${left} more ${what}, see \`gridcast sites show ${site}\``] : [];
  return [...lines, ...rest].map((line) => colors.yellow(line));
}

function describeWindow({ startAt, endAt, processors, reason }: MaintenanceAnswer, verb = ''): string {
  const some = processors === null ? 'all processors' : `${processors} processors`;
  return `${some}${verb} from ${formatMoment(startAt)} to ${formatMoment(endAt)} (${reason})`;
}

/** Why a site is taken to be down, a reason a line. */
function downTimeLines({ name, downTime }: SiteAnswer): string[] {
  return (downTime?.evidence ?? []).map(({ sinceAt, explanation }) => {
    return colors.yellow(`${name} seems to be down since ${formatMoment(sinceAt)}: ${explanation}`);
  });
}

function siteState({ state, stale, fault }: SiteAnswer): string {
  if (fault) return colors.red(`${state.toLowerCase()}: ${fault}`);
  return stale ? colors.yellow(`${state.toLowerCase()}, stale`) : state.toLowerCase();
}

function seen({ ageSeconds }: SiteAnswer): string {
  return ageSeconds === null ? 'never' : `${formatSeconds(ageSeconds)} ago`;
}

function recordsOf({ records, learning }: SiteAnswer): string | number {
  return learning ? `${records}, learning` : records;
}

function kept({ promises: { decided, kept } }: SiteAnswer): string | null {
  return decided === 0 ? null : `${kept} of ${decided}`;
}

function known(value: number | null, what: string): string | null {
  return value === null ? null : `${value} ${what}`;
}
