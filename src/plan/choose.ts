import type { EpochSeconds } from '../domain/clock.ts';
import type { DownTimeSign } from '../domain/down-time.ts';
import { formatExactSeconds, formatSeconds } from '../domain/duration.ts';
import type { WaitForecast } from '../domain/forecast.ts';
import { outsideRemark } from '../domain/known-range.ts';
import {
  type Candidate,
  type CandidateSite,
  isPassing,
  type LossReason,
  type Plan,
  type PlanRequest,
  type PutOff,
} from '../domain/plan.ts';
import type { RefusalScope } from '../domain/refusal.ts';
import { expectedCharge, withExpectedWork } from './charge.ts';
import { type ForecastOption, queueFor, requestAs, workCharge } from './job/options.ts';
import { percentOf } from './job/walltime.ts';
import { describeRefusal, findRefusal } from './refusals.ts';
import { describeWindow, findUnusable, type Ineligibility, momentText, putOff } from './unusable.ts';

/**
 * Chooses the eligible option with the smallest predicted response: the time until it is submitted, the wait's point
 * and the walltime. One without a finite forecast is taken only when no other can be; ties go where our own jobs on
 * their way delay it least, then to the smaller site id, the smaller charge, the earlier submission. Every option
 * appears in the answer, in the order given, the losers with a reason.
 * @param staleAfterSeconds age from which what is known of a site is not planned on
 */
export function choosePlan(
  request: PlanRequest,
  options: readonly ForecastOption[],
  now: EpochSeconds,
  staleAfterSeconds: number,
): Plan {
  const judged = options.map((option) => judge(request, option, now, staleAfterSeconds));
  const ranked = judged.filter((candidate) => candidate.lostBecause === null).sort(bySmallestResponse);
  const winner = ranked[0] ?? null;
  return {
    madeAt: now,
    chosen: winner,
    submitAt: winner?.submitAt ?? now,
    candidates: judged.map((candidate) => {
      if (candidate === winner || candidate.lostBecause !== null || winner === null) return candidate;
      return slower(candidate, winner);
    }),
  };
}

/**
 * Whether a site can take a request at all, whatever its load; null when it can. What will never pass comes first, so
 * that a job too large for a site that is out of sight does not wait for it.
 */
export function findIneligibility(
  request: PlanRequest,
  site: CandidateSite,
  now: EpochSeconds,
  staleAfterSeconds: number,
): Ineligibility | null {
  return (
    draining(site) ??
    neverObserved(site) ??
    unfitSize(request, site) ??
    suspended(site, now) ??
    findUnusable(request, queueFor(request, site), site) ??
    refused(request, site) ??
    unfitAge(site, now, staleAfterSeconds)
  );
}

/**
 * A queue that is down or not for us is told in the same word whether the site has said so by itself or when it was
 * handed a job.
 */
const REASONS: Readonly<Record<RefusalScope, LossReason>> = {
  JOB: 'REFUSED',
  SIZE: 'REFUSED',
  QUEUE_FORBIDDEN: 'QUEUE_FORBIDDEN',
  QUEUE_DOWN: 'QUEUE_DOWN',
  JOB_LIMIT: 'JOB_LIMIT',
};

function refused(request: PlanRequest, site: CandidateSite): Ineligibility | null {
  const refusal = findRefusal(request, queueFor(request, site)?.name ?? null, site);
  if (refusal === null) return null;
  return { reason: REASONS[refusal.scope], explanation: describeRefusal(refusal, site.name) };
}

function draining({ state, name }: CandidateSite): Ineligibility | null {
  if (state !== 'DRAINING' && state !== 'REMOVING') return null;
  const doing = state === 'DRAINING' ? 'draining' : 'being removed';
  return { reason: 'DRAINING', explanation: `${name} is ${doing}: it takes no new work` };
}

function suspended({ state, name, downSigns = [] }: CandidateSite, now: EpochSeconds): Ineligibility | null {
  if (state !== 'SUSPENDED') return null;
  const [first] = downSigns;
  if (!first) return { reason: 'SUSPENDED', explanation: `${name} is suspended: it is taken to be down` };
  const since = `since ${momentText(first.sinceAt)}, ${formatSeconds(now - first.sinceAt)} ago`;
  return { reason: 'SUSPENDED', explanation: `${describeSign(first.sign, name)} ${since}` };
}

/** What everybody may know of why a site is taken to be down; its own words are for admins. */
function describeSign(sign: DownTimeSign, name: string): string {
  if (sign === 'UNREACHABLE') return `${name} has not answered`;
  return sign === 'NO_STARTS'
    ? `jobs wait at ${name} and none has started`
    : `waits at ${name} have been growing from job to job, beyond what is usual there,`;
}

/** Comes before the size: nothing is known of that either. */
function neverObserved(site: CandidateSite): Ineligibility | null {
  return site.observedAt === null ? { reason: 'NEVER_OBSERVED', explanation: `${site.name} was never observed` } : null;
}

function unfitSize(request: PlanRequest, site: CandidateSite): Ineligibility | null {
  const queue = queueFor(request, site);
  if (request.queue !== null && queue === null) {
    const names = site.queues.map((known) => known.name).join(', ') || 'none';
    return { reason: 'UNKNOWN_QUEUE', explanation: `${site.name} has no queue ${request.queue}; it has ${names}` };
  }
  const processors = Math.min(site.processors, queue?.maxProcessors ?? Number.POSITIVE_INFINITY);
  if (request.processors > processors) {
    const where = processors < site.processors ? `queue ${queue?.name} of ${site.name} allows` : `${site.name} has`;
    return { reason: 'TOO_LARGE', explanation: `${request.processors} processors asked for, ${where} ${processors}` };
  }
  const walltimeSeconds = queue?.maxWalltimeSeconds ?? Number.POSITIVE_INFINITY;
  if (request.walltimeSeconds > walltimeSeconds) {
    const explanation = `${formatExactSeconds(request.walltimeSeconds)} of walltime asked for, queue ${queue?.name} of ${site.name} allows ${formatExactSeconds(walltimeSeconds)}`;
    return { reason: 'WALLTIME_BEYOND_LIMIT', explanation };
  }
  return null;
}

function unfitAge(site: CandidateSite, now: EpochSeconds, staleAfterSeconds: number): Ineligibility | null {
  const age = now - (site.observedAt ?? Number.NEGATIVE_INFINITY);
  if (age <= staleAfterSeconds) return null;
  const explanation = `${site.name} was last observed ${formatExactSeconds(Math.round(age))} ago, facts count for ${formatExactSeconds(staleAfterSeconds)}`;
  return { reason: 'STALE', explanation };
}

/**
 * Why an option cannot be taken, whatever its load; null when it can. One whose walltime cannot be chosen does not wait
 * for its site to come into sight.
 */
export function findUnfit(
  option: ForecastOption,
  request: PlanRequest,
  now: EpochSeconds,
  staleAfterSeconds: number,
): Ineligibility | null {
  const ineligibility = findIneligibility(requestAs(option, request), option.site, now, staleAfterSeconds);
  if (request.auto && ineligibility?.reason === 'WALLTIME_BEYOND_LIMIT') {
    const explanation = `${ineligibility.explanation}: ${percentOf(request.auto.risk)} risk needs that much, accept more`;
    return { ...ineligibility, explanation };
  }
  if (!option.unadvised || (ineligibility && !isPassing(ineligibility.reason))) return ineligibility;
  return { reason: 'RUNTIME_UNKNOWN', explanation: option.unadvised };
}

/** An option's part in the plan before the winner is known. */
function judge(request: PlanRequest, option: ForecastOption, now: EpochSeconds, staleAfterSeconds: number): Candidate {
  const { site, processors, walltimeSeconds, submitAt, runtime = null } = option;
  const asked = requestAs(option, request);
  const ineligibility = findUnfit(option, request, now, staleAfterSeconds);
  const forecast = ineligibility ? null : option.forecast;
  const held = ineligibility ? null : findPutOff(asked, site, forecast, submitAt);
  const responseSeconds = ineligibility ? null : responseOf(option, held, now);
  const loss = ineligibility ?? findLateness(asked, site, responseSeconds, now);
  const remarks = (held ? `; ${held.explanation}` : '') + outsideRemark(forecast?.outsideKnownRange);
  const charge = withExpectedWork(workCharge(option), option, runtime);
  return {
    siteId: site.siteId,
    siteName: site.name,
    queue: queueFor(asked, site)?.name ?? null,
    processors,
    walltimeSeconds,
    submitAt,
    charge,
    forecast,
    runtime,
    responseSeconds,
    putOff: held,
    costProcessorSeconds: expectedCharge(charge),
    lostBecause: loss?.reason ?? null,
    explanation: loss?.explanation ?? praise(site, responseSeconds) + remarks,
  };
}

/** A wait that can be predicted is over no earlier than the windows that the job could not end before. */
function responseOf(
  { forecast, submitAt, walltimeSeconds }: ForecastOption,
  held: PutOff | null,
  now: EpochSeconds,
): number | null {
  if (forecast === null || !Number.isFinite(forecast.pointSeconds)) return null;
  const waitSeconds = held === null ? submitAt - now + forecast.pointSeconds : held.startAt - now;
  return waitSeconds + walltimeSeconds;
}

/**
 * What windows make of the start that is forecast for a request submitted then; of one that cannot be predicted, of a
 * start at once.
 */
export function findPutOff(
  request: PlanRequest,
  site: CandidateSite,
  forecast: WaitForecast | null,
  submitAt: EpochSeconds,
): PutOff | null {
  const wait = forecast?.pointSeconds ?? 0;
  const { processors, walltimeSeconds } = request;
  const size = { processors, walltimeSeconds, queue: queueFor(request, site)?.name ?? null };
  return putOff(size, site, submitAt + (Number.isFinite(wait) ? wait : 0));
}

function findLateness(
  request: PlanRequest,
  site: CandidateSite,
  responseSeconds: number | null,
  now: EpochSeconds,
): Ineligibility | null {
  if (request.deadlineAt === null) return null;
  if (responseSeconds !== null && responseSeconds <= request.deadlineAt - now) return null;
  const predicted =
    responseSeconds === null
      ? 'cannot be predicted yet'
      : `is predicted ${formatExactSeconds(Math.round(responseSeconds))} from now`;
  return {
    reason: 'MISSES_DEADLINE',
    explanation: `the end at ${site.name} ${predicted}, the deadline is in ${formatExactSeconds(Math.round(request.deadlineAt - now))}`,
  };
}

function praise(site: CandidateSite, responseSeconds: number | null): string {
  return responseSeconds === null
    ? `${site.name} is the only choice left, its wait cannot be predicted yet`
    : `${site.name} has the smallest predicted response, ${formatSeconds(responseSeconds)}`;
}

function slower(candidate: Candidate, winner: Candidate): Candidate {
  const own = candidate.responseSeconds;
  const explanation = own === null ? 'its wait cannot be predicted yet' : compare(own, candidate, winner);
  if (!candidate.putOff) return { ...candidate, lostBecause: 'SLOWER', explanation };
  const window = describeWindow(candidate.putOff.window, { name: candidate.siteName }, candidate.queue);
  return { ...candidate, lostBecause: 'MAINTENANCE', explanation: `${explanation}: ${window}` };
}

function compare(ownSeconds: number, candidate: Candidate, winner: Candidate): string {
  const { responseSeconds } = winner;
  const [own, best] = [formatSeconds(ownSeconds), formatSeconds(responseSeconds ?? 0)];
  const there = wayOf(winner, candidate);
  if (ownSeconds === responseSeconds) return `predicted response as ${there}, ${own}`;
  return own === best
    ? `predicted response ${own}, a little more than ${there}`
    : `predicted response ${own}, against ${best} ${there}`;
}

/** What the winner has that another option has not: its site, or at the same one what it asks for there. */
function wayOf(winner: Candidate, { siteId }: Candidate): string {
  const { siteName, queue, processors, walltimeSeconds, submitAt } = winner;
  if (siteId !== winner.siteId) return `at ${siteName}`;
  const size = `${processors} processors for ${formatExactSeconds(walltimeSeconds)}`;
  return `with ${size}${queue === null ? '' : ` in queue ${queue}`}, submitted at ${momentText(submitAt)}`;
}

function bySmallestResponse(a: Candidate, b: Candidate): number {
  const difference = (a.responseSeconds ?? Number.MAX_VALUE) - (b.responseSeconds ?? Number.MAX_VALUE);
  const delayDifference = (a.forecast?.delaySeconds ?? 0) - (b.forecast?.delaySeconds ?? 0);
  if (a.siteId !== b.siteId) return difference || delayDifference || (a.siteId < b.siteId ? -1 : 1);
  return difference || delayDifference || a.costProcessorSeconds - b.costProcessorSeconds || a.submitAt - b.submitAt;
}
