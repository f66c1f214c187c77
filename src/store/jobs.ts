import type { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import type { ExecutionRow } from './executions.ts';
import { type JobConditions, jobsWhere } from './job-filter.ts';
import { withMoments } from './moments.ts';
import { newestFirst, type Page, type PageRequest, toPage } from './pages.ts';

/** Which of a tenant's jobs to list. */
export interface JobFilter {
  readonly tenantId: string;
  /** The bodies of reservations too. */
  readonly includeReserved: boolean;
  /** What they meet, all of it. */
  readonly meant: readonly JobConditions[];
  /** What their name, their key or one of their labels holds; null for anything. See `findJobsByText`. */
  readonly text?: string | null;
}

/** A text is looked for in so many of a tenant's newest jobs, and as many of those that hold it are told of at most. */
export const MOST_SEARCHED = 100_000;
export const MOST_FOUND = 5000;

/** The jobs of a tenant, newest first. */
export async function listJobs(db: Db, filter: JobFilter, page: PageRequest): Promise<Page<ExecutionRow>> {
  const { tenantId, text = null } = filter;
  const meant = tenantsJobs(filter);
  const where = text === null ? meant : { ...meant, id: { in: await findJobsByText(db, tenantId, text) } };
  const [rows, totalCount] = await Promise.all([
    db.execution.findMany(newestFirst(where, page)),
    db.execution.count({ where }),
  ]);
  return toPage(withMoments(rows), totalCount, page);
}

/**
 * Ids of the newest jobs of a tenant whose name, idempotency key or a label `name=value` holds a text, in upper or
 * lower case: MOST_FOUND of its MOST_SEARCHED newest.
 */
async function findJobsByText(db: Db, tenantId: string, text: string): Promise<string[]> {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT e."id"::text AS "id" FROM (
      SELECT "id", "name", "idempotencyKey", "labels", "createdAt" FROM "Execution"
       WHERE "tenantId" = ${tenantId}::uuid ORDER BY "createdAt" DESC, "id" DESC LIMIT ${MOST_SEARCHED}::int) e
     WHERE e."name" ILIKE ${pattern} OR e."idempotencyKey" ILIKE ${pattern}
        OR EXISTS (SELECT FROM unnest(e."labels") AS l("label") WHERE l."label" ILIKE ${pattern})
     ORDER BY e."createdAt" DESC, e."id" DESC LIMIT ${MOST_FOUND}::int`;
  return rows.map(({ id }) => id);
}

/** The newest job of a tenant that came with an idempotency key; null for none. */
export async function findJobByKey(db: Db, tenantId: string, idempotencyKey: string): Promise<ExecutionRow | null> {
  const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
  return withMoments(await db.execution.findFirst({ where: { tenantId, idempotencyKey }, orderBy }));
}

function tenantsJobs({ tenantId, includeReserved, meant }: JobFilter): Prisma.ExecutionWhereInput {
  return { tenantId, ...(!includeReserved && { reservation: null }), AND: meant.map(jobsWhere) };
}
