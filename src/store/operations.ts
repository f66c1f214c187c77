import type { ChargeKind } from '../domain/charge.ts';
import type { EpochSeconds } from '../domain/clock.ts';
import type { ExecutionOutcome } from '../domain/execution.ts';
import { Prisma, type WakeUpKind } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { WAKE_UP_KINDS } from './outbox.ts';
import type { TurnTable } from './turns.ts';

/** What one tenant was charged for one kind of use in one month of UTC. */
export interface MonthlyCharge {
  readonly monthStartsAt: EpochSeconds;
  readonly tenant: string;
  readonly kind: ChargeKind;
  readonly processorSeconds: number;
  /** Entries of the ledger. */
  readonly count: number;
}

/** The charge ledger by month, tenant and kind from a moment on, oldest first. */
export async function listMonthlyCharges(db: Db, sinceAt: EpochSeconds): Promise<MonthlyCharge[]> {
  return db.$queryRaw<MonthlyCharge[]>`
    SELECT extract(epoch FROM date_trunc('month', c."chargedAt", 'UTC'))::float8 AS "monthStartsAt",
           t."name" AS "tenant", c."kind"::text AS "kind", sum(c."processorSeconds")::float8 AS "processorSeconds",
           count(*)::int AS "count"
      FROM "Charge" c JOIN "Execution" e ON e."id" = c."executionId" JOIN "Tenant" t ON t."id" = e."tenantId"
     WHERE c."chargedAt" >= to_timestamp(${sinceAt}::float8) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;
}

/** The rows of one kind that want a turn now, and how long the first of them has wanted it. */
export interface DueTurns {
  readonly kind: WakeUpKind;
  /** Those that nobody works on. */
  readonly due: number;
  /** By the service's clock; 0 where none is due. */
  readonly lagSeconds: number;
  /** Those that somebody works on. */
  readonly underWay: number;
}

/** What waits for workers, by kind. */
export async function countDueTurns(db: Db, now: EpochSeconds): Promise<DueTurns[]> {
  const ofEach = Object.entries(WAKE_UP_KINDS) as [TurnTable, WakeUpKind][];
  const parts = ofEach.map(
    ([table, kind]) => Prisma.sql`
      SELECT ${kind}::text AS "kind", count(*) FILTER (WHERE "wakeAt" <= to_timestamp(${now}::float8) AND "leaseExpiresAt" IS NULL) AS "due",
             min("wakeAt") FILTER (WHERE "leaseExpiresAt" IS NULL) AS "first",
             count("leaseExpiresAt") AS "underWay"
        FROM ${Prisma.raw(`"${table}"`)} WHERE "wakeAt" <= to_timestamp(${now}::float8) OR "leaseExpiresAt" IS NOT NULL`,
  );
  return db.$queryRaw<DueTurns[]>`
    SELECT "kind", "due"::int AS "due", "underWay"::int AS "underWay",
           GREATEST(0, COALESCE(${now}::float8 - extract(epoch FROM "first"), 0))::float8 AS "lagSeconds"
      FROM (${Prisma.join(parts, ' UNION ALL ')}) AS turns`;
}

/** Wake-ups that were written down and are not in the queue yet, and the wall time since the first of them was. */
export async function lookAtOutbox(db: Db): Promise<{ readonly count: number; readonly oldestSeconds: number }> {
  const [row] = await db.$queryRaw<{ count: number; oldestSeconds: number }[]>`
    SELECT count(*)::int AS "count",
           GREATEST(0, COALESCE(extract(epoch FROM clock_timestamp() - min("createdAt")), 0))::float8 AS "oldestSeconds"
      FROM "Outbox"`;
  return row ?? { count: 0, oldestSeconds: 0 };
}

/** What an operator wants to be woken for at one site. */
export interface SiteCondition {
  readonly site: string;
  /** Of its newest snapshot; of its registration, where it never answered. */
  readonly ageSeconds: number;
  /** Code of the fault of the newest look; null while it answers. */
  readonly fault: string | null;
  /** Whether it is taken to be down. */
  readonly isDown: boolean;
  /** Whether promises are suspended for that. */
  readonly isSuspended: boolean;
}

/** The same of every site that is not removed, by the service's clock. */
export async function listSiteConditions(db: Db, now: EpochSeconds): Promise<SiteCondition[]> {
  return db.$queryRaw<SiteCondition[]>`
    SELECT "name" AS "site", "fault", "downEvidence" <> '[]'::jsonb AS "isDown",
           "suspendedAt" IS NOT NULL AS "isSuspended",
           GREATEST(0, ${now}::float8 - extract(epoch FROM COALESCE("observedAt", "createdAt")))::float8 AS "ageSeconds"
      FROM "Site" WHERE "removedAt" IS NULL`;
}

/** How many jobs ended in one way at one site. */
export interface EndsAtSite {
  /** Null for jobs that never had a site. */
  readonly site: string | null;
  readonly outcome: ExecutionOutcome;
  readonly count: number;
}

/** How jobs have ended at each site from a moment on, most of them first. */
export async function countEnds(db: Db, sinceAt: EpochSeconds): Promise<EndsAtSite[]> {
  return db.$queryRaw<EndsAtSite[]>`
    SELECT s."name" AS "site", e."outcome"::text AS "outcome", count(*)::int AS "count"
      FROM "Tenant" t JOIN "Execution" e ON e."tenantId" = t."id" AND e."endedAt" >= to_timestamp(${sinceAt}::float8)
      LEFT JOIN "Site" s ON s."id" = e."siteId"
     WHERE e."outcome" IS NOT NULL GROUP BY s."id", s."name", e."outcome" ORDER BY 3 DESC, 1, 2 LIMIT 500`;
}
