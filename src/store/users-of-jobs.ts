import type { Db } from './database.ts';

/** As whom jobs of a tenant were handed in that may be at a site still. */
export interface UserOfJobs {
  /** Name of the tenant. */
  readonly tenant: string;
  /** The Unix user; null for the gateway's own. */
  readonly user: string | null;
  readonly jobs: number;
}

/** As whom the jobs were handed in that may be at a site now, by tenant and user. */
export function listUsersOfJobs(db: Db, siteId: string): Promise<UserOfJobs[]> {
  return db.$queryRaw<UserOfJobs[]>`
    SELECT t."name" AS "tenant", s."user", count(*)::int AS "jobs"
      FROM "Execution" e
      JOIN "Submission" s ON s."executionId" = e."id" AND s."attempt" = e."attempts"
      JOIN "Tenant" t ON t."id" = e."tenantId"
     WHERE e."siteId" = ${siteId}::uuid AND e."state" IN ('SUBMITTING', 'QUEUED', 'RUNNING')
     GROUP BY t."name", s."user" ORDER BY t."name", s."user"`;
}
