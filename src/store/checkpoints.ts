import { promisify } from 'node:util';
import { gunzip, gzip, type ZlibOptions } from 'node:zlib';
import { literal } from './copied-bytes.ts';
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
 * Keeps a checkpoint as the newest of its site, and the few before it; what was wrong with the newest one is told no
 * more. It is one statement: whoever stands still in the middle of a transaction keeps the row of the site's owner
 * locked, and nobody could take the site over.
 * @param packed stored compressed
 * @returns its number; null when whoever wrote it no longer owns the site, and nothing is kept
 */
export async function saveCheckpoint(
  db: Db,
  siteId: string,
  { epoch, revision, recordsEpoch, livedRevision }: NewCheckpoint,
  packed: Uint8Array,
): Promise<number | null> {
  const compressed = await promisify<Uint8Array, ZlibOptions, Buffer>(gzip)(packed, {
    level: 1,
    chunkSize: CHUNK_BYTES,
  });
  const [owned] = await db.$queryRaw<{ number: number }[]>`
    WITH owned AS (
      UPDATE "SiteOwner" SET "checkpoint" = "checkpoint" + 1, "fault" = NULL
       WHERE "siteId" = ${siteId}::uuid AND "epoch" = ${epoch}::int AND "ownerId" IS NOT NULL
      RETURNING "siteId", "checkpoint" AS "number"),
    written AS (
      INSERT INTO "Checkpoint" ("siteId", "number", "epoch", "revision", "recordsEpoch", "livedRevision", "savedAt",
             "packed")
      SELECT "siteId", "number", ${epoch}::int, ${revision}::bigint, ${recordsEpoch}::int, ${livedRevision}::bigint,
             now(), ${compressed}
        FROM owned),
    gone AS (
      DELETE FROM "Checkpoint" c USING owned
       WHERE c."siteId" = owned."siteId" AND c."number" <= owned."number" - ${CHECKPOINTS_KEPT}::int)
    SELECT "number" FROM owned`;
  return owned?.number ?? null;
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

/**
 * Copies a site's newest checkpoint to those of other sites that have none yet and whose jobs are the same: what of
 * them became known after it is theirs to take in. Whoever is to live through the past of one of them finds it.
 * @param toNames of the sites
 */
export async function copyCheckpointTo(db: Db, fromId: string, toNames: readonly string[]): Promise<void> {
  await db.$executeRaw`
    WITH newest AS (SELECT * FROM "Checkpoint" WHERE "siteId" = ${fromId}::uuid ORDER BY "number" DESC LIMIT 1),
    cost AS (SELECT "costSeconds" FROM "SiteOwner" WHERE "siteId" = ${fromId}::uuid),
    others AS (
      SELECT s."id", s."recordsEpoch",
             (SELECT max(r."revision") FROM "Record" r
               WHERE r."siteId" = s."id" AND COALESCE(r."startAt", r."submitAt") <= newest."savedAt") AS "revision"
        FROM "Site" s, newest
       WHERE s."name" = ANY(${[...toNames]}) AND s."removedAt" IS NULL),
    owners AS (
      UPDATE "SiteOwner" o SET "checkpoint" = 1, "costSeconds" = cost."costSeconds" FROM others, cost
       WHERE o."siteId" = others."id" AND o."checkpoint" = 0 AND others."revision" IS NOT NULL
      RETURNING o."siteId", o."epoch")
    INSERT INTO "Checkpoint" ("siteId", "number", "epoch", "revision", "recordsEpoch", "livedRevision", "savedAt",
           "packed")
    SELECT owners."siteId", 1, owners."epoch", others."revision", others."recordsEpoch", others."revision", now(),
           newest."packed"
      FROM owners JOIN others ON others."id" = owners."siteId", newest`;
}

/** How many bytes a site's newest checkpoint takes; 0 when there is none. */
export async function checkpointBytes(db: Db, siteId: string): Promise<number> {
  const [row] = await db.$queryRaw<{ bytes: number }[]>`
    SELECT octet_length("packed") AS "bytes" FROM "Checkpoint" WHERE "siteId" = ${siteId}::uuid
     ORDER BY "number" DESC LIMIT 1`;
  return row?.bytes ?? 0;
}

/** What is told of a site's checkpoints, the newest first. */
export async function listCheckpoints(db: Db, siteId: string): Promise<CheckpointRow[]> {
  return db.$queryRaw<CheckpointRow[]>`
    SELECT "number", "epoch", "revision"::float8 AS "revision", "recordsEpoch",
           "livedRevision"::float8 AS "livedRevision"
      FROM "Checkpoint" WHERE "siteId" = ${siteId}::uuid ORDER BY "number" DESC`;
}

/**
 * The bytes of a checkpoint; null when it has gone.
 * @throws Error when they cannot be decompressed
 */
export async function readPacked(database: Database, siteId: string, number: number): Promise<Uint8Array | null> {
  const packed = await database.readBytes(
    `SELECT "packed" FROM "Checkpoint" WHERE "siteId" = ${literal(siteId)} AND "number" = ${literal(number)}`,
  );
  return packed && promisify<Uint8Array, ZlibOptions, Buffer>(gunzip)(packed, { chunkSize: unpackedBytes(packed) + 1 });
}

/** What gzip says of its own at its end; not more than can have been packed so, whatever stands there. */
function unpackedBytes(packed: Uint8Array): number {
  const { buffer, byteOffset, byteLength } = packed;
  const told = byteLength < 4 ? 0 : new DataView(buffer, byteOffset, byteLength).getUint32(byteLength - 4, true);
  return Math.max(CHUNK_BYTES, Math.min(told, byteLength * MOST_PACKED));
}

/** For so many bytes one can stand: deflate writes 258 of them in two bits. Source: RFC 1951, section 3.2.5. */
const MOST_PACKED = 1032;
const CHECKPOINTS_KEPT = 3;
/** Each piece of what is compressed is a turn of the event loop, of which others of 16 kB would make a thousand. */
const CHUNK_BYTES = 1 << 20;
