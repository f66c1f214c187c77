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
}

/** The jobs of a tenant, newest first. */
export async function listJobs(db: Db, filter: JobFilter, page: PageRequest): Promise<Page<ExecutionRow>> {
  const where = tenantsJobs(filter);
  const [rows, totalCount] = await Promise.all([
    db.execution.findMany(newestFirst(where, page)),
    db.execution.count({ where }),
  ]);
  return toPage(withMoments(rows), totalCount, page);
}

/** The newest job of a tenant that came with an idempotency key; null for none. */
export async function findJobByKey(db: Db, tenantId: string, idempotencyKey: string): Promise<ExecutionRow | null> {
  const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
  return withMoments(await db.execution.findFirst({ where: { tenantId, idempotencyKey }, orderBy }));
}

function tenantsJobs({ tenantId, includeReserved, meant }: JobFilter): Prisma.ExecutionWhereInput {
  return { tenantId, ...(!includeReserved && { reservation: null }), AND: meant.map(jobsWhere) };
}
