import {
  OWNERSHIP_SECONDS,
  type Ownership,
  type OwnershipMove,
  type OwningThread,
  type SiteCost,
} from '../domain/ownership.ts';
import type { Db } from './database.ts';

/** A site with who owns it; one that nobody ever owned has epoch 0. */
export interface OwnedSite extends Ownership {
  readonly siteId: string;
  /** CPU seconds that living through its past took. */
  readonly costSeconds: number;
  /** Whether somebody could not use its newest checkpoint. */
  readonly isFaulty: boolean;
}

/** Who owns what, as of one moment of PostgreSQL's clock. */
export interface Owners {
  readonly now: number;
  readonly threads: readonly OwningThread[];
  readonly sites: readonly OwnedSite[];
}

/**
 * Says that a thread lives, and reads who owns what. Processes that said nothing for long are forgotten; what one said
 * before PostgreSQL's clock was put back holds no longer than if it were said now.
 */
export async function lookAtOwners(db: Db, { threadId, learnsLast }: OwningThread): Promise<Owners> {
  await db.$executeRaw`
    WITH forgotten AS (DELETE FROM "ForecastingProcess" WHERE "until" < now() - interval '1 hour')
    UPDATE "ForecastingProcess" SET "until" = now() + ${OWNERSHIP_SECONDS} * interval '1 s'
     WHERE "until" > now() + ${OWNERSHIP_SECONDS} * interval '1 s'`;
  await db.$executeRaw`
    INSERT INTO "ForecastingProcess" ("id", "until", "learnsLast")
    VALUES (${threadId}::int, now() + ${OWNERSHIP_SECONDS} * interval '1 s', ${learnsLast})
        ON CONFLICT ("id") DO UPDATE SET "until" = excluded."until"`;
  const threads = await db.$queryRaw<(OwningThread & { now: number })[]>`
    SELECT "id" AS "threadId", "learnsLast", extract(epoch FROM now())::float8 AS "now"
      FROM "ForecastingProcess" WHERE "until" > now() ORDER BY "id"`;
  const sites = await db.$queryRaw<OwnedSite[]>`
    SELECT s."id" AS "siteId", o."ownerId", COALESCE(o."epoch", 0) AS "epoch",
           COALESCE(extract(epoch FROM p."until"), extract(epoch FROM o."until"), extract(epoch FROM now()))::float8
             AS "until",
           COALESCE(o."costSeconds", 0)::float8 AS "costSeconds", o."fault" IS NOT NULL AS "isFaulty"
      FROM "Site" s LEFT JOIN "SiteOwner" o ON o."siteId" = s."id"
      LEFT JOIN "ForecastingProcess" p ON p."id" = o."ownerId" WHERE s."removedAt" IS NULL ORDER BY s."id"`;
  return { now: threads[0]?.now ?? 0, threads, sites };
}

/** A move, and the row that it was decided on. */
export interface DecidedMove {
  readonly seen: OwnedSite;
  readonly move: OwnershipMove;
}

/**
 * Does what was decided, where the row still says what it said: nobody took the site meanwhile, and of one to be
 * taken the owner lives no more.
 * @returns epochs of the sites that are owned from now on, or go on being, by their ids
 */
export async function moveOwnerships(
  db: Db,
  me: number,
  moves: readonly DecidedMove[],
): Promise<ReadonlyMap<string, number>> {
  const seen = (move: OwnershipMove) =>
    JSON.stringify(moves.filter((one) => one.move === move).map(({ seen: { siteId, epoch } }) => ({ siteId, epoch })));
  const owned = await db.$queryRaw<{ siteId: string; epoch: number }[]>`
    WITH taking AS (SELECT * FROM jsonb_to_recordset(${seen('take')}::jsonb) AS t("siteId" uuid, "epoch" int)),
    keeping AS (SELECT * FROM jsonb_to_recordset(${seen('keep')}::jsonb) AS t("siteId" uuid, "epoch" int)),
    giving AS (SELECT * FROM jsonb_to_recordset(${seen('give')}::jsonb) AS t("siteId" uuid, "epoch" int)),
    taken AS (
      INSERT INTO "SiteOwner" AS o ("siteId", "ownerId", "epoch", "until")
      SELECT "siteId", ${me}::int, "epoch" + 1, now() FROM taking
          ON CONFLICT ("siteId") DO UPDATE
         SET "ownerId" = excluded."ownerId", "epoch" = excluded."epoch", "until" = excluded."until"
       WHERE o."epoch" = excluded."epoch" - 1 AND NOT EXISTS (
             SELECT FROM "ForecastingProcess" p WHERE p."id" = o."ownerId" AND p."until" > now())
      RETURNING o."siteId", o."epoch"),
    given AS (
      UPDATE "SiteOwner" o SET "ownerId" = NULL, "until" = now() FROM giving g
       WHERE o."siteId" = g."siteId" AND o."epoch" = g."epoch" AND o."ownerId" = ${me}::int)
    SELECT * FROM taken UNION ALL
    SELECT o."siteId", o."epoch" FROM "SiteOwner" o JOIN keeping k USING ("siteId", "epoch")
     WHERE o."ownerId" = ${me}::int`;
  return new Map(owned.map(({ siteId, epoch }) => [siteId, epoch]));
}

/** Gives back all that a process owns, because it ends. */
export async function giveUpOwnerships(db: Db, me: number): Promise<void> {
  await db.$executeRaw`UPDATE "SiteOwner" SET "ownerId" = NULL, "until" = now() WHERE "ownerId" = ${me}::int`;
  await db.$executeRaw`DELETE FROM "ForecastingProcess" WHERE "id" = ${me}::int`;
}

/** Notes what living through a site's past took its owner. */
export async function noteCost(db: Db, siteId: string, epoch: number, costSeconds: number): Promise<void> {
  await db.$executeRaw`
    UPDATE "SiteOwner" SET "costSeconds" = ${costSeconds}::float8
     WHERE "siteId" = ${siteId}::uuid AND "epoch" = ${epoch}::int`;
}

/** What each site costs to learn, in CPU seconds; of one that nobody has learned yet, supposed from its records. */
export async function listSiteCosts(db: Db): Promise<SiteCost[]> {
  return db.$queryRaw<SiteCost[]>`
    SELECT s."id" AS "siteId", COALESCE(NULLIF(o."costSeconds", 0), ${SUPPOSED_RECORD_SECONDS}::float8 * (
             SELECT count(*) FROM (
               SELECT FROM "Record" r WHERE r."siteId" = s."id" LIMIT ${MOST_COUNTED}::int) few))::float8 AS "cost"
      FROM "Site" s LEFT JOIN "SiteOwner" o ON o."siteId" = s."id" WHERE s."removedAt" IS NULL ORDER BY s."id"`;
}

/** Whether somebody is to learn a site who has not yet kept what came of it. */
export async function awaitsLearning(db: Db, siteId: string): Promise<boolean> {
  const owner = await db.siteOwner.findUnique({ where: { siteId }, select: { checkpoint: true } });
  return owner?.checkpoint === 0;
}

/** Notes why a site's newest checkpoint could not be used; null when it could. */
export async function noteFault(db: Db, siteId: string, fault: string | null): Promise<void> {
  await db.$executeRaw`
    UPDATE "SiteOwner" SET "fault" = ${fault} WHERE "siteId" = ${siteId}::uuid AND "fault" IS DISTINCT FROM ${fault}`;
}

/** Who has learned a site, and how old what it learned is, in seconds of PostgreSQL's clock. */
export interface SiteModelRow {
  readonly siteId: string;
  /** Number of the process that owns the site; null for nobody. */
  readonly ownerId: number | null;
  /** For how long that has been so. */
  readonly ownedSeconds: number;
  /** CPU seconds that living through its past took. */
  readonly costSeconds: number;
  /** Number of its newest checkpoint; 0 before the first. */
  readonly checkpoint: number;
  /** How long ago that was written; null before the first. */
  readonly checkpointAgeSeconds: number | null;
  /** Why it could not be used; null where it could. */
  readonly fault: string | null;
}

/** Who has learned several sites, for batched reads; a site that nobody ever owned has none. */
export async function findSiteModels(db: Db, siteIds: readonly string[]): Promise<SiteModelRow[]> {
  return db.$queryRaw<SiteModelRow[]>`
    SELECT o."siteId"::text AS "siteId", o."ownerId", o."costSeconds", o."checkpoint", o."fault",
           extract(epoch FROM clock_timestamp() - o."until")::float8 AS "ownedSeconds",
           (SELECT extract(epoch FROM clock_timestamp() - c."savedAt")::float8 FROM "Checkpoint" c
             WHERE c."siteId" = o."siteId" ORDER BY c."number" DESC LIMIT 1) AS "checkpointAgeSeconds"
      FROM "SiteOwner" o WHERE o."siteId" = ANY(${[...siteIds]}::uuid[])`;
}

/** Measured on generated sites. */
const SUPPOSED_RECORD_SECONDS = 0.003;
const MOST_COUNTED = 20_000;
