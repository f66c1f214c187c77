import type { EpochSeconds } from '../../domain/clock.ts';
import { invariant } from '../../domain/failures.ts';
import type { Candidate, FinishBy, Plan, PlanRequest } from '../../domain/plan.ts';
import { askedOptions, type DelayedOptions } from '../../forecast/delayed-options.ts';
import { loadFinishShifts } from '../../forecast/finish-shifts.ts';
import { choosePlan } from '../../plan/choose.ts';
import { withFinishes } from '../../plan/deadline/option-finish.ts';
import { momentText, reasonsOf } from '../../plan/unusable.ts';
import { loadCandidates } from '../../store/candidates.ts';
import type { SizeOwner } from '../../store/own-sizes.ts';
import type { SiteRow } from '../../store/sites.ts';
import type { CommandContext } from '../carry-out/context.ts';
import { AUTO_FIELDS } from './advised-walltimes.ts';
import { noEligibleSite } from './eligible-sites.ts';
import { type BestFinish, FinishRefused } from './finish-refused.ts';

/** A plan and what it was made from. */
export interface PlannedOptions {
  readonly plan: Plan;
  readonly asked: DelayedOptions['asked'];
}

/** A plan whose chosen option can be promised to finish as it was asked. */
export interface FinishPromise extends PlannedOptions {
  readonly chosen: Candidate;
  readonly site: SiteRow;
  /** At least as asked. */
  readonly promised: number;
}

/** Plans a request at some sites, as it looks now, without writing anything. */
export async function planAtSites(
  context: CommandContext,
  owner: SizeOwner,
  sites: readonly SiteRow[],
  request: PlanRequest,
  now: EpochSeconds,
): Promise<PlannedOptions> {
  const { limits, database } = context;
  const candidates = await loadCandidates(database.db, owner, request, sites, now);
  const { asked: forecast } = await askedOptions(context, owner.tenantId, request, candidates, now);
  const ids = sites.map(({ id }) => id);
  const shifts = await loadFinishShifts(database.db, request, ids, now);
  const asked = withFinishes(forecast, request, shifts);
  return { plan: choosePlan(request, asked, now, limits.staleAfterSeconds), asked };
}

/**
 * The plan of a job that is to finish by a deadline with a probability.
 * @throws FinishRefused with the best on offer when no site reaches that
 * @throws CallerError when no site can take the job
 */
export async function promiseFinish(
  context: CommandContext,
  owner: SizeOwner,
  sites: readonly SiteRow[],
  request: PlanRequest & { readonly finishBy: FinishBy },
  now: EpochSeconds,
): Promise<FinishPromise> {
  const made = await planAtSites(context, owner, sites, request, now);
  const { chosen, candidates } = made.plan;
  if (chosen?.finish) {
    const site = sites.find(({ id }) => id === chosen.siteId);
    invariant(site, `site ${chosen.siteId} was chosen and not asked`);
    return { ...made, chosen, site, promised: chosen.finish.probability };
  }
  const late = candidates.filter(({ lostBecause }) => lostBecause === 'MISSES_DEADLINE');
  if (late.length === 0) throw noTaker(candidates, sites, request);
  throw refusal(late, request.finishBy);
}

function noTaker(candidates: readonly Candidate[], sites: readonly SiteRow[], { auto }: PlanRequest) {
  const ineligible = candidates.flatMap(({ siteId, lostBecause: reason, explanation }) => {
    const site = sites.find(({ id }) => id === siteId);
    return site && reason !== null ? [{ site, ineligibility: { reason, explanation } }] : [];
  });
  return noEligibleSite(ineligible, 'input', auto ? AUTO_FIELDS : {});
}

function refusal(late: readonly Candidate[], { probability }: FinishBy): FinishRefused {
  const best = bestOf(late);
  const why = reasonsOf(late.map(({ explanation }) => explanation));
  const message = `no site can promise a finish in time with probability ${probability}: ${why}; ${remedyOf(best)}`;
  return new FinishRefused(`input.finishBy.${best.earliest ? 'at' : 'probability'}`, message, best);
}

function remedyOf({ probability, earliest }: BestFinish): string {
  const lower = probability > 0 ? `ask for ${probability} at most` : null;
  const later = earliest && `for ${momentText(earliest.at)} or later`;
  return [later && `ask ${later}`, lower].filter(Boolean).join(', or ') || 'use deadlineAt, which promises nothing';
}

function bestOf(late: readonly Candidate[]): BestFinish {
  let best: BestFinish = { siteName: late[0]?.siteName ?? '', probability: 0, earliest: null };
  for (const { siteName, finish } of late) {
    const { probability = 0, earliestAt = null } = finish ?? {};
    if (probability > best.probability) best = { ...best, siteName, probability };
    if (earliestAt !== null && earliestAt < (best.earliest?.at ?? Number.POSITIVE_INFINITY)) {
      best = { ...best, earliest: { at: earliestAt, siteName } };
    }
  }
  return best;
}
