import type { EpochSeconds } from '../domain/clock.ts';
import type { Db } from './database.ts';
import { toDate } from './moments.ts';

/** A forecast of one slot of a site's quantity, to be compared with what comes. */
export interface NewSlotForecast {
  readonly siteId: string;
  /** For example `load`. */
  readonly quantity: string;
  readonly predictor: string;
  readonly version: string;
  readonly madeAt: EpochSeconds;
  readonly startsAt: EpochSeconds;
  readonly slotSeconds: number;
  /** How many slots lie between the making and this one. */
  readonly lead: number;
  readonly sampleSize: number;
  readonly point: number;
  /** Null where history does not support that level. */
  readonly bound95: number | null;
}

/** Keeps forecasts of slots; one that is kept already stays as it is. */
export async function saveSlotForecasts(db: Db, forecasts: readonly NewSlotForecast[]): Promise<void> {
  await db.slotForecast.createMany({
    data: forecasts.map((one) => ({ ...one, madeAt: toDate(one.madeAt), startsAt: toDate(one.startsAt) })),
    skipDuplicates: true,
  });
}

/** When slots of a site's quantity were last forecast to be kept; null when they never were. */
export async function newestSlotForecastAt(db: Db, siteId: string, quantity: string): Promise<EpochSeconds | null> {
  const { _max: newest } = await db.slotForecast.aggregate({ where: { siteId, quantity }, _max: { madeAt: true } });
  return newest.madeAt === null ? null : newest.madeAt.getTime() / 1000;
}

/**
 * Compares up to `limit` forecasts of arriving load, of slots that were over by a moment, with the processors that the
 * jobs submitted in them asked for: those that records tell of, and those that wait in the newest snapshot.
 * @returns how many
 */
export async function scoreLoad(
  db: Db,
  siteId: string,
  { overBy, scoredAt, limit }: { overBy: EpochSeconds; scoredAt: EpochSeconds; limit: number },
): Promise<number> {
  return db.$executeRaw`
    WITH due AS (
      SELECT DISTINCT "startsAt", "slotSeconds" FROM "SlotForecast"
       WHERE "siteId" = ${siteId}::uuid AND "quantity" = 'load' AND "scoredAt" IS NULL
         AND "startsAt" + "slotSeconds" * interval '1 second' <= to_timestamp(${overBy}::float8)
       ORDER BY "startsAt" LIMIT ${limit}::int),
    waiting AS (
      SELECT w."nativeId", to_timestamp(w."submitAt")::timestamptz(3) AS "submitAt", w."processors"
        FROM "Site" s, jsonb_to_recordset(s."snapshot"->'waiting')
          AS w("nativeId" text, "submitAt" float8, "processors" int) WHERE s."id" = ${siteId}::uuid),
    came AS (
      SELECT d."startsAt", d."slotSeconds", (
             SELECT COALESCE(sum(j."processors"), 0) FROM (
               SELECT r."nativeId", r."submitAt", r."processors" FROM "Record" r
                WHERE r."siteId" = ${siteId}::uuid AND r."submitAt" >= d."startsAt"
                  AND r."submitAt" < d."startsAt" + d."slotSeconds" * interval '1 second'
               UNION
               SELECT w."nativeId", w."submitAt", w."processors" FROM waiting w
                WHERE w."submitAt" >= d."startsAt"
                  AND w."submitAt" < d."startsAt" + d."slotSeconds" * interval '1 second') j)::float8 AS "actual"
        FROM due d)
    UPDATE "SlotForecast" f SET "actual" = c."actual", "scoredAt" = to_timestamp(${scoredAt}::float8)
      FROM came c
     WHERE f."siteId" = ${siteId}::uuid AND f."quantity" = 'load' AND f."scoredAt" IS NULL
       AND f."startsAt" = c."startsAt" AND f."slotSeconds" = c."slotSeconds"`;
}

/** Ends the retention of up to `limit` forecasts of slots that began before a moment; returns how many went. */
export async function deleteSlotForecastsBefore(db: Db, before: EpochSeconds, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "SlotForecast" WHERE ctid IN (
      SELECT ctid FROM "SlotForecast" WHERE "startsAt" < to_timestamp(${before}::float8) LIMIT ${limit}::int
         FOR UPDATE SKIP LOCKED)`;
}
