import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Database, Db } from './database.ts';

/** What is told of a checkpoint beside its bytes. */
export interface CheckpointRow {
  /** 1 for the first of its site; each is one more than the one before it. */
  readonly number: number;
  /** Of the owner that wrote it. */
  readonly epoch: number;
  /** Up to which records are in it. */
  readonly revision: number;
  /** Of the site's records, see `readRecordsEpoch`. */
  readonly recordsEpoch: number;
  /** Up to which records the past had been lived through; those after it were watched. */
  readonly livedRevision: number;
}

/** A checkpoint that its owner wants to keep. */
export type NewCheckpoint = Omit<CheckpointRow, 'number'>;

/**
 * Keeps a checkpoint as the newest of its site, and the few before it.
 * @param packed stored compressed
 * @returns its number; null when whoever wrote it no longer owns the site, and nothing is kept
 */
export async function saveCheckpoint(
  database: Database,
  siteId: string,
  { epoch, revision, recordsEpoch, livedRevision }: NewCheckpoint,
  packed: Uint8Array,
): Promise<number | null> {
  const compressed = await promisify(gzip)(packed, { level: 1 });
  return database.transaction(async (tx) => {
    const [owned] = await tx.$queryRaw<{ number: number }[]>`
      UPDATE "SiteOwner" SET "checkpoint" = "checkpoint" + 1
       WHERE "siteId" = ${siteId}::uuid AND "epoch" = ${epoch}::int AND "ownerId" IS NOT NULL
      RETURNING "checkpoint" AS "number"`;
    if (!owned) return null;
    const { number } = owned;
    await tx.$executeRaw`
      INSERT INTO "Checkpoint" ("siteId", "number", "epoch", "revision", "recordsEpoch", "livedRevision", "savedAt",
             "packed")
      VALUES (${siteId}::uuid, ${number}::int, ${epoch}::int, ${revision}::bigint, ${recordsEpoch}::int,
             ${livedRevision}::bigint, now(), ${compressed})`;
    await tx.$executeRaw`
      DELETE FROM "Checkpoint" WHERE "siteId" = ${siteId}::uuid AND "number" <= ${number - CHECKPOINTS_KEPT}::int`;
    return number;
  });
}

/**
 * Copies a site's newest checkpoint to another one that has the same records, as its first.
 * @throws Error when the other one has an owner or a checkpoint
 */
export async function copyCheckpoint(db: Db, fromId: string, toId: string): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "SiteOwner" ("siteId", "epoch", "until", "checkpoint") VALUES (${toId}::uuid, 1, now(), 1)`;
  await db.$executeRaw`
    INSERT INTO "Checkpoint" ("siteId", "number", "epoch", "revision", "recordsEpoch", "livedRevision", "savedAt",
           "packed")
    SELECT ${toId}::uuid, 1, 1, r."newest", c."recordsEpoch", c."livedRevision", now(), c."packed"
      FROM "Checkpoint" c, (SELECT max("revision") AS "newest" FROM "Record" WHERE "siteId" = ${toId}::uuid) r
     WHERE c."siteId" = ${fromId}::uuid ORDER BY c."number" DESC LIMIT 1`;
}

/** How many bytes a site's newest checkpoint takes; 0 when there is none. */
export async function checkpointBytes(db: Db, siteId: string): Promise<number> {
  const [row] = await db.$queryRaw<{ bytes: number }[]>`
    SELECT octet_length("packed") AS "bytes" FROM "Checkpoint" WHERE "siteId" = ${siteId}::uuid
     ORDER BY "number" DESC LIMIT 1`;
  return row?.bytes ?? 0;
}

/** What is told of a site's newest checkpoint; null when there is none. */
export async function findNewestCheckpoint(db: Db, siteId: string): Promise<CheckpointRow | null> {
  const [row] = await db.$queryRaw<CheckpointRow[]>`
    SELECT "number", "epoch", "revision"::float8 AS "revision", "recordsEpoch",
           "livedRevision"::float8 AS "livedRevision"
      FROM "Checkpoint" WHERE "siteId" = ${siteId}::uuid ORDER BY "number" DESC LIMIT 1`;
  return row ?? null;
}

/**
 * The bytes of a checkpoint; null when it has gone.
 * @throws Error when they cannot be decompressed
 */
export async function readPacked(db: Db, siteId: string, number: number): Promise<Uint8Array | null> {
  const row = await db.checkpoint.findUnique({
    where: { siteId_number: { siteId, number } },
    select: { packed: true },
  });
  return row && promisify(gunzip)(row.packed);
}

const CHECKPOINTS_KEPT = 3;
