import { MOST_SIZES, type OwnSize } from '../domain/job-sizes.ts';
import type { CandidateSite, PlanRequest } from '../domain/plan.ts';
import type { Db } from './database.ts';

/** Whose jobs tell of sizes. */
export interface SizeOwner {
  readonly tenantId: string;
  readonly principalId: string;
}

/**
 * Sites with the sizes that the principal's own jobs had there which completed a short while ago, the most frequent
 * ones; as they are for a job that runs at one size alone. Promised jobs are left out: what they hold is not their
 * work.
 */
export async function withOwnSizes(
  db: Db,
  { tenantId, principalId }: SizeOwner,
  request: PlanRequest,
  sites: readonly CandidateSite[],
): Promise<readonly CandidateSite[]> {
  if (!request.sizes) return sites;
  const rows = await db.$queryRaw<(OwnSize & { siteId: string })[]>`
    SELECT e."siteId"::text AS "siteId", e."processors", count(*)::int AS "jobs",
           percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM e."endedAt" - e."startedAt"))::float8
             AS "medianRunSeconds",
           max(e."walltimeSeconds")::int AS "longestWalltimeSeconds",
           max((SELECT r."user" FROM "Record" r WHERE r."siteId" = e."siteId" AND r."nativeId" = e."nativeId" LIMIT 1))
             AS "user"
      FROM (SELECT * FROM "Execution" WHERE "tenantId" = ${tenantId}::uuid
             ORDER BY "createdAt" DESC, "id" DESC LIMIT ${NEWEST_JOBS}::int) e
      LEFT JOIN "Reservation" p ON p."executionId" = e."id"
     WHERE e."principalId" = ${principalId}::uuid AND e."outcome" = 'COMPLETED' AND p."id" IS NULL
       AND e."siteId" = ANY(${sites.map(({ siteId }) => siteId)}::uuid[])
       AND e."startedAt" IS NOT NULL AND e."endedAt" > e."startedAt"
     GROUP BY e."siteId", e."processors" ORDER BY "jobs" DESC, e."processors"`;
  return sites.map((site) => {
    const own = rows.filter(({ siteId }) => siteId === site.siteId).slice(0, MOST_SIZES);
    return { ...site, ownSizes: own.map(({ siteId: _siteId, ...size }) => size) };
  });
}

/** Jobs of the tenant that are looked at, the newest ones. */
const NEWEST_JOBS = 2000;
