import type { EpochSeconds } from '../../domain/clock.ts';
import type { DownTimeSign } from '../../domain/down-time.ts';
import { formatExactSeconds, formatSeconds } from '../../domain/duration.ts';
import { isPassing, type LossReason } from '../../domain/loss-reason.ts';
import type { CandidateSite, PlanRequest } from '../../domain/plan.ts';
import type { RefusalScope } from '../../domain/refusal.ts';
import { describeRefusal, findRefusal } from '../refusals.ts';
import { findUnusable, type Ineligibility, momentText } from '../unusable.ts';
import { missingTag } from './caps.ts';
import { findIdentityFault, findNoIdentity } from './identity.ts';
import { findLacking, findOutOfService, lackingAnywhere } from './lacking.ts';
import { findNotHonoured } from './not-honoured.ts';
import { type ProposedOption, queueFor, requestAs } from './options.ts';
import { percentOf } from './walltime.ts';

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
    findNoIdentity(site) ??
    missingTag(request, site) ??
    neverObserved(site) ??
    findNotHonoured(request, site) ??
    unfitSize(request, site) ??
    lacking(request, site) ??
    suspended(site, now) ??
    findIdentityFault(site) ??
    findUnusable(request, queueFor(request, site), site) ??
    findOutOfService(request, queueFor(request, site), site) ??
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

function lacking(request: PlanRequest, site: CandidateSite): Ineligibility | null {
  const found = findLacking(request, queueFor(request, site), site);
  return found && lackingAnywhere(found, request, site);
}

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
  const most = Number.POSITIVE_INFINITY;
  const allowed = queue?.maxProcessors ?? most;
  const processors = Math.min(site.processors, allowed, queue?.processors ?? most);
  if (request.processors > processors) {
    const limit = processors === allowed ? 'allows' : 'has';
    const where = processors < site.processors ? `queue ${queue?.name} of ${site.name} ${limit}` : `${site.name} has`;
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
 * Why an option cannot be taken, whatever its load; null when it can. One that is ruled out does not wait for its
 * site to come into sight.
 */
export function findUnfit(
  option: ProposedOption,
  request: PlanRequest,
  now: EpochSeconds,
  staleAfterSeconds: number,
): Ineligibility | null {
  const ineligibility = findIneligibility(requestAs(option, request), option.site, now, staleAfterSeconds);
  if (request.auto && ineligibility?.reason === 'WALLTIME_BEYOND_LIMIT') {
    const explanation = `${ineligibility.explanation}: ${percentOf(request.auto.risk)} risk needs that much, accept more`;
    return { ...ineligibility, explanation };
  }
  if (!option.ruledOut || (ineligibility && !isPassing(ineligibility.reason))) return ineligibility;
  return option.ruledOut;
}

/** Why a site takes a request in none of its ways, where that is why it does not take it in the first one. */
export function whyNotAtSite(why: Ineligibility, { site }: ProposedOption, request: PlanRequest): Ineligibility {
  return why.reason === 'LACKS_RESOURCES' ? lackingAnywhere(why, request, site) : why;
}
