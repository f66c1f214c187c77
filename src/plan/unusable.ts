import type { EpochSeconds } from '../domain/clock.ts';
import type { LossReason } from '../domain/loss-reason.ts';
import type { CandidateSite, PlanRequest, PutOff } from '../domain/plan.ts';
import type { SiteTerms } from '../domain/resources.ts';
import { barInWords, type MaintenanceWindow, type QueueFacts } from '../domain/site.ts';
import { askedAt } from '../domain/site-requests.ts';

/** Why a site cannot take a request, in a word and in a sentence with its figures. */
export interface Ineligibility {
  readonly reason: LossReason;
  readonly explanation: string;
  /** What of the request to change, where that is one thing; absent where it is not. */
  readonly field?: string;
}

/**
 * What the site itself says against a request for now: its queue is down or not for us, too few of its processors are
 * in service, or a maintenance falls into the time for which it is to be promised. Null when nothing.
 */
export function findUnusable(
  request: PlanRequest,
  queue: QueueFacts | null,
  site: CandidateSite,
): Ineligibility | null {
  return barred(request, queue, site) ?? tooFewUsable(request, queue, site) ?? meetsMaintenance(request, queue, site);
}

/** Whether none of our jobs on some terms starts in a queue. */
export function isBarred({ bar, barredTerm }: QueueFacts, terms: SiteTerms = {}): boolean {
  return Boolean(bar) && !(barredTerm && terms[barredTerm] !== undefined);
}

function barred(request: PlanRequest, queue: QueueFacts | null, site: CandidateSite): Ineligibility | null {
  if (!queue || !isBarred(queue, askedAt(request, site).terms)) return null;
  const explanation = `queue ${queue.name} of ${site.name} ${barInWords(queue)}`;
  return { reason: queue.bar === 'DOWN' ? 'QUEUE_DOWN' : 'QUEUE_FORBIDDEN', explanation };
}

function tooFewUsable(
  { processors }: PlanRequest,
  queue: QueueFacts | null,
  { name, usableProcessors }: CandidateSite,
): Ineligibility | null {
  const atSite = usableProcessors ?? Number.POSITIVE_INFINITY;
  const usable = Math.min(atSite, queue?.usableProcessors ?? Number.POSITIVE_INFINITY);
  if (processors <= usable) return null;
  const where = usable < atSite ? `queue ${queue?.name} of ${name}` : name;
  const explanation = `${processors} processors asked for, ${where} has ${usable} in service`;
  return { reason: 'TOO_FEW_USABLE', explanation };
}

/**
 * A promised job holds its processors from its start to the end of its work: no window that leaves it too few may fall
 * in between.
 */
function meetsMaintenance(request: PlanRequest, queue: QueueFacts | null, site: CandidateSite): Ineligibility | null {
  const { processors, startAt, walltimeSeconds } = request;
  if (startAt === undefined) return null;
  const size = { processors, queue: queue?.name ?? null };
  const met = windowMet(size, site, startAt, startAt + walltimeSeconds);
  return met && { reason: 'MAINTENANCE', explanation: describeWindow(met, site, size.queue) };
}

/** A job's size in the queue of a site that it goes to, null for a site without queues. */
interface SizeInQueue {
  readonly processors: number;
  readonly queue: string | null;
}

/**
 * The first moment at which a job that is promised for `startAt` may be handed over: once the windows before that are
 * over. A job that starts early holds on until its work is done, and a batch system starts none whose limit runs into a
 * window.
 */
export function earliestSubmission(
  request: SizeInQueue & { readonly startAt: EpochSeconds },
  site: SiteWithWindows,
  now: EpochSeconds,
): EpochSeconds {
  const { startAt } = request;
  const before = { ...site, maintenance: (site.maintenance ?? []).filter(({ endAt }) => endAt <= startAt) };
  for (let at = now; ; ) {
    const met = windowMet(request, before, at, startAt);
    if (met === null) return at;
    at = met.endAt;
  }
}

/** What becomes of the start of a job whose turn comes at `startAt`. Null where no window is in its way. */
export function putOff(
  request: SizeInQueue & Pick<PlanRequest, 'walltimeSeconds'>,
  site: SiteWithWindows & Pick<CandidateSite, 'name'>,
  startAt: EpochSeconds,
): PutOff | null {
  const { walltimeSeconds, queue } = request;
  const window = windowMet(request, site, startAt, startAt + walltimeSeconds);
  if (window === null) return null;
  const earliest = putOff(request, site, window.endAt)?.startAt ?? window.endAt;
  const explanation = `it starts there at ${momentText(earliest)} at the earliest: ${describeWindow(window, site, queue)}`;
  return { startAt: earliest, window, explanation };
}

/** A moment in a sentence: to the second, in UTC. */
export function momentText(at: EpochSeconds): string {
  return `${new Date(at * 1000).toISOString().slice(0, 19)}Z`;
}

/** A window in a sentence, with what it takes of a queue. */
export function describeWindow(
  window: MaintenanceWindow,
  { name }: Pick<CandidateSite, 'name'>,
  queue: string | null,
): string {
  const [from, to] = [window.startAt, window.endAt].map(momentText);
  const inQueue = window.processors === null || queue === null ? undefined : window.queues?.[queue];
  const part = inQueue === undefined ? '' : `, ${inQueue} of them of queue ${queue},`;
  const some = window.processors === null ? 'all processors' : `${window.processors} processors`;
  return `${name} has set ${some} aside${part} from ${from} to ${to} (${window.reason})`;
}

type SiteWithWindows = Pick<CandidateSite, 'processors' | 'usableProcessors' | 'maintenance' | 'queues'>;

/**
 * A window within `[from, to)` that together with those at the same time leaves too few processors; the one that is
 * over first.
 */
function windowMet(
  { processors, queue }: SizeInQueue,
  site: SiteWithWindows,
  from: EpochSeconds,
  to: EpochSeconds,
): MaintenanceWindow | null {
  const facts = site.queues.find(({ name }) => name === queue) ?? null;
  const windows = (site.maintenance ?? []).filter(({ startAt, endAt }) => startAt < to && endAt > from);
  const moments = [from, ...windows.map(({ startAt }) => Math.max(from, startAt))].sort((a, b) => a - b);
  for (const at of moments) {
    const active = windows.filter(({ startAt, endAt }) => startAt <= at && endAt > at);
    if (active.length > 0 && processors > Math.min(leftBy(active, site), leftInQueue(active, facts))) {
      return active.reduce((first, window) => (window.endAt < first.endAt ? window : first));
    }
  }
  return null;
}

/** Processors that windows leave to jobs. */
function leftBy(windows: readonly MaintenanceWindow[], { processors, usableProcessors }: SiteWithWindows): number {
  const usable = usableProcessors ?? processors;
  return windows.reduce((left, window) => Math.max(0, left - (window.processors ?? usable)), usable);
}

/** Those that they leave to the jobs of a queue, where the site says which nodes are whose. */
function leftInQueue(windows: readonly MaintenanceWindow[], queue: QueueFacts | null): number {
  if (typeof queue?.processors !== 'number') return Number.POSITIVE_INFINITY;
  const { name, processors } = queue;
  return windows.reduce((left, { queues }) => Math.max(0, left - (queues?.[name] ?? 0)), processors);
}

/**
 * Reasons as one sentence, each once, the first of them in full. Those that differ only by less than a minute of their
 * moments, as of queues that were tried one after another, are told once, with the last of these.
 */
export function reasonsOf(reasons: readonly string[]): string {
  const all = fold(reasons);
  const told = all.slice(0, MOST_REASONS).join('; ');
  return all.length > MOST_REASONS ? `${told}; and ${all.length - MOST_REASONS} more` : told;
}

/** O(reasons), but for those of the same words at moments far from each other. */
function fold(reasons: readonly string[]): string[] {
  const kept = new Map<string, { moments: readonly EpochSeconds[]; text: string }[]>();
  for (const reason of reasons) {
    const words = reason.split(MOMENT);
    const moments = (reason.match(MOMENT) ?? []).map((moment) => Date.parse(moment) / 1000);
    const alike = kept.get(words.join('\0')) ?? [];
    kept.set(words.join('\0'), alike);
    const same = alike.find((one) => areClose(one.moments, moments));
    if (same) {
      same.moments = same.moments.map((at, index) => Math.max(at, moments[index] ?? at));
      same.text = words.map((part, n) => (n === 0 ? part : momentText(same.moments[n - 1] ?? 0) + part)).join('');
    } else alike.push({ moments, text: reason });
  }
  return [...kept.values()].flat().map(({ text }) => text);
}

/** What only looks like a moment is near none. */
function areClose(some: readonly EpochSeconds[], others: readonly EpochSeconds[]): boolean {
  return some.every((at, index) => Math.abs(at - (others[index] ?? Number.NaN)) < CLOSE_SECONDS);
}

/** As `toISOString` and `momentText` write it. */
const MOMENT = /\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z/g;
const CLOSE_SECONDS = 60;

/** A sentence has an end, however many options there are. */
const MOST_REASONS = 20;
