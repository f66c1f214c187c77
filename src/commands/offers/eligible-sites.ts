import type { EpochSeconds } from '../../domain/clock.ts';
import { CallerError } from '../../domain/failures.ts';
import { isPassing, type LossReason } from '../../domain/loss-reason.ts';
import type { CandidateSite, PlanRequest } from '../../domain/plan.ts';
import type { QueueFacts } from '../../domain/site.ts';
import { findIneligibility } from '../../plan/job/ineligible.ts';
import { queueFor } from '../../plan/job/options.ts';
import { type Ineligibility, reasonsOf } from '../../plan/unusable.ts';
import type { Db } from '../../store/database.ts';
import { lockSitesThatTakeWork } from '../../store/open-sites.ts';
import { asCandidate, findStandingSites, listSites, type SiteRow } from '../../store/sites.ts';
import type { Standing } from '../../store/standing.ts';
import { notFound } from '../input/not-found.ts';
import type { Placement } from '../input/placement.ts';
import { asksOf, type SizeInput } from '../input/work-input.ts';

/** A site that can take a request, and the queue it would go to. */
export interface EligibleSite {
  readonly site: SiteRow;
  /** The same as it is for whoever asks. */
  readonly candidate: CandidateSite;
  readonly queue: QueueFacts | null;
}

/** A site that cannot, and why. */
export interface IneligibleSite {
  readonly site: SiteRow;
  readonly ineligibility: Ineligibility;
}

/** The sites of the ids given, every site when there are none. Ids that are no site's are returned apart. */
export async function loadSites(
  db: Db,
  siteIds: readonly string[],
): Promise<{ sites: readonly SiteRow[]; unknown: { id: string; index: number }[] }> {
  if (siteIds.length === 0) return { sites: await listSites(db), unknown: [] };
  const sites = await findStandingSites(db, siteIds);
  const known = new Set(sites.map(({ id }) => id));
  const unknown = siteIds.map((id, index) => ({ id, index })).filter(({ id }) => !known.has(id));
  return { sites, unknown };
}

/**
 * The sites a request may go to.
 * @throws CallerError NOT_FOUND naming the first id that is no site's, INVALID where every one is excluded
 */
export async function allowedSites(
  db: Db,
  { siteIds, excludeSiteIds = [], sites: asked = [] }: Placement,
  path: string,
): Promise<readonly SiteRow[]> {
  const { sites, unknown } = await loadSites(db, siteIds);
  const [first] = unknown;
  if (first) throw notFound('site', `${path}.siteIds[${first.index}]`);
  const nowhere = asked.findIndex(({ siteId }) => !sites.some(({ id }) => id === siteId));
  if (nowhere >= 0) throw notFound('site', `${path}.sites[${nowhere}].id`);
  if (excludeSiteIds.length === 0) return sites;
  const excluded = await loadSites(db, excludeSiteIds);
  const [strange] = excluded.unknown;
  if (strange) throw notFound('site', `${path}.excludeSiteIds[${strange.index}]`);
  const left = sites.filter(({ id }) => !excludeSiteIds.includes(id));
  if (left.length > 0 || sites.length === 0) return left;
  const message = 'every site that may take it is excluded; exclude fewer';
  throw new CallerError('INVALID', `${path}.excludeSiteIds`, message);
}

/**
 * Parts sites into those that can take a request of that size and those that cannot.
 * @param size with the moment for which it is to be promised, if it is
 * @param standing what holds at the sites for the caller's tenant
 */
export function sortOut(
  sites: readonly SiteRow[],
  size: SizeInput & Omit<Placement, 'siteIds'> & { readonly startAt?: EpochSeconds },
  standing: Standing,
  now: EpochSeconds,
  staleAfterSeconds: number,
): { eligible: EligibleSite[]; ineligible: IneligibleSite[] } {
  const { processors, walltimeSeconds, resources, queue, requiredTags = [], startAt } = size;
  const promised = startAt === undefined ? {} : { startAt };
  const asked = { processors, walltimeSeconds, resources, queue, ...asksOf(size) };
  const request: PlanRequest = { ...asked, requiredTags, deadlineAt: null, ...promised };
  const eligible: EligibleSite[] = [];
  const ineligible: IneligibleSite[] = [];
  for (const site of sites) {
    const candidate = asCandidate(site, standing);
    const ineligibility = findIneligibility(request, candidate, now, staleAfterSeconds);
    if (ineligibility) ineligible.push({ site, ineligibility });
    else eligible.push({ site, candidate, queue: queueFor(request, candidate) });
  }
  return { eligible, ineligible };
}

/** True when waiting may make the site eligible. */
export function mayPass({ ineligibility }: Pick<IneligibleSite, 'ineligibility'>): boolean {
  return isPassing(ineligibility.reason);
}

/**
 * Makes sure, in the transaction that gives them work, that sites still take it: an admin may have drained one, or the
 * detector suspended it, since it was found eligible.
 * @throws CallerError SITE_CHANGED
 */
export async function assertStillTakeWork(tx: Db, sites: readonly SiteRow[]): Promise<void> {
  const ready = await lockSitesThatTakeWork(
    tx,
    sites.map(({ id }) => id),
  );
  const gone = sites.filter(({ id }) => !ready.has(id)).map(({ name }) => name);
  if (gone.length === 0) return;
  throw new CallerError('SITE_CHANGED', null, `${gone.join(', ')} takes no new work since a moment ago; ask again`);
}

/**
 * The error of a request that no site can take, with every site's reason and the field to change where they all agree
 * on one.
 * @param own fields to change that are the request's own, by the reason
 */
export function noEligibleSite(
  ineligible: readonly IneligibleSite[],
  path: string,
  own: Partial<Record<LossReason, string>> = {},
): CallerError {
  if (ineligible.length === 0) {
    return new CallerError('NO_ELIGIBLE_SITE', null, 'no site is registered; an admin registers one with registerSite');
  }
  const reasons = new Set(ineligible.map(({ ineligibility }) => ineligibility.reason));
  const why = reasonsOf(ineligible.map(({ ineligibility }) => ineligibility.explanation));
  const [only] = reasons.size === 1 ? reasons : [];
  const [first] = ineligible.map(({ ineligibility }) => ineligibility.field);
  const named = ineligible.every(({ ineligibility }) => ineligibility.field === first) && first;
  const field = named ? `${path}.${named}` : only ? fieldOf({ reason: only }, path, own) : null;
  if (ineligible.every(mayPass) && reasons.has('SUSPENDED')) {
    return new CallerError('SUSPENDED_SITE', field, `nothing is promised at sites that seem to be down: ${why}`);
  }
  if (ineligible.every(mayPass) && ![...reasons].some((reason) => SAID_BY_SITES.includes(reason))) {
    return new CallerError(
      'STALE_SITE',
      field,
      `nothing can be promised on old facts: ${why}; ask again when it answers`,
    );
  }
  return new CallerError('NO_ELIGIBLE_SITE', field, `no site can take this: ${why}`);
}

/** The field to change; null where no field would help. */
export function fieldOf(
  { reason, field: named }: Pick<Ineligibility, 'reason' | 'field'>,
  path: string,
  own = FIELDS,
): string | null {
  const field = named ?? own[reason] ?? FIELDS[reason];
  return field ? `${path}.${field}` : null;
}

/** What a site is known to say now, however old its other facts are. */
const SAID_BY_SITES: readonly LossReason[] = ['QUEUE_DOWN', 'JOB_LIMIT', 'TOO_FEW_USABLE'];

const FIELDS: Partial<Record<LossReason, string>> = {
  TOO_LARGE: 'processors',
  WALLTIME_BEYOND_LIMIT: 'walltimeSeconds',
  UNKNOWN_QUEUE: 'queue',
  MISSING_TAG: 'requiredTags',
  LACKS_RESOURCES: 'resources',
  CHARGE_BEYOND_LIMIT: 'maxChargeProcessorSeconds',
  RISK_BEYOND_LIMIT: 'maxRisk',
  QUEUE_FORBIDDEN: 'queue',
  MAINTENANCE: 'startAt',
};
