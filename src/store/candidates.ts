import type { EpochSeconds } from '../domain/clock.ts';
import type { CandidateSite, PlanRequest } from '../domain/plan.ts';
import type { Db } from './database.ts';
import { type SizeOwner, withOwnSizes } from './own-sizes.ts';
import { asCandidate, type SiteRow } from './sites.ts';
import { loadStanding } from './standing.ts';

/** A site as the planner sees it for whatever a tenant asks. */
export async function loadCandidate(
  db: Db,
  tenantId: string,
  site: SiteRow,
  now: EpochSeconds,
): Promise<CandidateSite> {
  return asCandidate(site, await loadStanding(db, tenantId, now));
}

/** Sites as the planner sees them for a request of somebody, in their order. */
export async function loadCandidates(
  db: Db,
  owner: SizeOwner,
  request: PlanRequest,
  sites: readonly SiteRow[],
  now: EpochSeconds,
): Promise<readonly CandidateSite[]> {
  const standing = await loadStanding(db, owner.tenantId, now);
  const known = sites.map((site) => asCandidate(site, standing));
  return withOwnSizes(db, owner, request, known);
}
