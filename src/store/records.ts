import type { JobRecord } from '../domain/job.ts';
import type { JobUse } from '../domain/job-use.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { lockThing } from './advisory-locks.ts';
import type { Db } from './database.ts';
import { gathered } from './gathered.ts';
import { toDate } from './moments.ts';
import { asTold, type RecordColumns, toColumns } from './record-columns.ts';

/** A record with its place in the order of changes of its site. */
export type RevisedRecord = JobRecord & { readonly revision: number };

/** How many records were new, and how many of those known were told something new. */
export interface SavedRecords {
  readonly inserted: number;
  readonly changed: number;
}

/**
 * Inserts records and updates those already known, in chunks of bounded size. A record that brings nothing new keeps
 * its revision, so followers are not woken by repeated imports; a known start or end is never forgotten. Of who pays
 * and of the program what was told first stays, of the use what was told last. Writers to one site are serialised,
 * which is what makes `readRecordsAfter` complete.
 * @param importId the import that brings them; it can take back those that are new, until somebody else tells of them
 */
export async function saveRecords(
  tx: Db,
  siteId: string,
  records: readonly JobRecord[],
  importId: string | null = null,
): Promise<SavedRecords> {
  if (records.length === 0) return NOTHING_SAVED;
  await lockThing(tx, 'records', siteId);
  let saved = NOTHING_SAVED;
  for (let from = 0; from < records.length; from += CHUNK_RECORDS) {
    const told = newestPerJob(records.slice(from, from + CHUNK_RECORDS));
    await confirmImported(tx, siteId, told, importId);
    const chunk = await saveChunk(tx, siteId, told, importId);
    saved = { inserted: saved.inserted + chunk.inserted, changed: saved.changed + chunk.changed };
  }
  return saved;
}

/**
 * Takes away the records that an import brought and that nobody else has told of since, and lets followers of the
 * site's records know that some are gone. Returns how many went.
 */
export async function removeImported(tx: Db, siteId: string, importId: string): Promise<number> {
  await lockThing(tx, 'records', siteId);
  const removed = await tx.$executeRaw`DELETE FROM "Record" WHERE "importId" = ${importId}::uuid`;
  if (removed > 0)
    await tx.$executeRaw`UPDATE "Site" SET "recordsEpoch" = "recordsEpoch" + 1 WHERE "id" = ${siteId}::uuid`;
  return removed;
}

/** A number that changes whenever records of a site are taken away: who follows them by revision then begins anew. */
export async function readRecordsEpoch(db: Db, siteId: string): Promise<number> {
  const site = await db.site.findUnique({ where: { id: siteId }, select: { recordsEpoch: true } });
  return site?.recordsEpoch ?? 0;
}

/** Records that changed after the given revision, in the order of their changes. */
export async function readRecordsAfter(
  db: Db,
  siteId: string,
  revision: number,
  limit: number,
): Promise<RevisedRecord[]> {
  const rows = await db.$queryRaw<(RecordColumns & { revision: number })[]>`
    SELECT "nativeId", "user", "queue", "processors", "requestedWalltimeSeconds", "outcome"::text AS "outcome",
           extract(epoch FROM "submitAt")::float8 AS "submitAt", extract(epoch FROM "startAt")::float8 AS "startAt",
           extract(epoch FROM "endAt")::float8 AS "endAt", "account", "group", "programName", "workFolder",
           "gpus", "memoryMebibytes", "cpuSeconds", "memoryBytes", "readBytes", "writtenBytes",
           "revision"::float8 AS "revision"
      FROM "Record" WHERE "siteId" = ${siteId}::uuid AND "revision" > ${revision}::bigint
     ORDER BY "revision" LIMIT ${limit}::int`;
  return rows.map(({ revision: itsRevision, ...row }) => ({ ...asTold(row), revision: itsRevision }));
}

/** What a job used, as far as its record tells; undefined where it tells nothing. */
export function readUse(
  db: Db,
  siteId: string,
  { nativeId, submitAt }: Pick<JobRecord, 'nativeId' | 'submitAt'>,
): Promise<JobUse | undefined> {
  return findUse(db, { siteId, nativeId, submitAt: toDate(submitAt).toISOString() });
}

const findUse = gathered(
  ({ siteId }: { readonly siteId: string; readonly nativeId: string; readonly submitAt: string }) => siteId,
  async (db, jobs): Promise<(JobUse | undefined)[]> => {
    const [siteId] = jobs.map((job) => job.siteId);
    const rows = await db.$queryRaw<(JobUse & { number: number })[]>`
      SELECT j."number"::int AS "number", r."cpuSeconds", r."memoryBytes", r."readBytes", r."writtenBytes"
        FROM unnest(${jobs.map(({ nativeId }) => nativeId)}::text[], ${jobs.map(({ submitAt }) => submitAt)}::timestamptz[])
             WITH ORDINALITY AS j("nativeId", "submitAt", "number")
        JOIN "Record" r ON r."siteId" = ${siteId}::uuid AND r."nativeId" = j."nativeId" AND r."submitAt" = j."submitAt"`;
    const uses = new Map(rows.map(({ number, ...use }) => [number, use]));
    return jobs.map((_, index) => uses.get(index + 1));
  },
);

const CHUNK_RECORDS = 5000;
const NOTHING_SAVED: SavedRecords = { inserted: 0, changed: 0 };

/** One statement may touch a row once: the last record of a job wins. */
function newestPerJob(records: readonly JobRecord[]): JobRecord[] {
  return [...new Map(records.map((record) => [`${record.nativeId}@${record.submitAt}`, record])).values()];
}

/**
 * Records that are told of again belong to no import any more. That is nothing new to learn, so their revisions stay.
 */
async function confirmImported(
  tx: Db,
  siteId: string,
  records: readonly JobRecord[],
  importId: string | null,
): Promise<void> {
  const names = records.map(({ nativeId, submitAt }) => ({ nativeId, submitAt }));
  await tx.$executeRaw`
    UPDATE "Record" known SET "importId" = NULL
      FROM jsonb_to_recordset(${JSON.stringify(names)}::jsonb) AS r("nativeId" text, "submitAt" float8)
     WHERE known."siteId" = ${siteId}::uuid AND known."nativeId" = r."nativeId"
       AND known."submitAt" = to_timestamp(r."submitAt")::timestamptz(3)
       AND known."importId" IS NOT NULL AND known."importId" IS DISTINCT FROM ${importId}::uuid`;
}

async function saveChunk(
  tx: Db,
  siteId: string,
  records: readonly JobRecord[],
  importId: string | null,
): Promise<SavedRecords> {
  const [saved] = await tx.$queryRaw<SavedRecords[]>`
    WITH saved AS (
    INSERT INTO "Record" AS known ("siteId", "nativeId", "submitAt", "user", "queue", "processors",
           "requestedWalltimeSeconds", "startAt", "endAt", "outcome", "account", "group", "programName", "workFolder",
           "gpus", "memoryMebibytes", "cpuSeconds", "memoryBytes", "readBytes", "writtenBytes", "importId")
    SELECT ${siteId}::uuid, r."nativeId", to_timestamp(r."submitAt"), r."user", r."queue", r."processors",
           r."requestedWalltimeSeconds", to_timestamp(r."startAt"), to_timestamp(r."endAt"), r."outcome"::"JobOutcome",
           r."account", r."group", r."programName", r."workFolder", r."gpus", r."memoryMebibytes", r."cpuSeconds",
           r."memoryBytes", r."readBytes", r."writtenBytes", ${importId}::uuid
      FROM jsonb_to_recordset(${JSON.stringify(records.map(toColumns))}::jsonb)
        AS r("nativeId" text, "submitAt" float8, "user" text, "queue" text, "processors" int,
             "requestedWalltimeSeconds" int, "startAt" float8, "endAt" float8, "outcome" text, "account" text,
             "group" text, "programName" text, "workFolder" text, "gpus" int, "memoryMebibytes" int, "cpuSeconds" float8, "memoryBytes" float8,
             "readBytes" float8, "writtenBytes" float8)
     ORDER BY COALESCE(r."startAt", r."submitAt")
        ON CONFLICT ("siteId", "nativeId", "submitAt") DO UPDATE
       SET (${TOLD_AGAIN}, "revision") = (${WITH_WHAT_IS_KNOWN}, nextval('"Record_revision_seq"'))
     WHERE (${WITH_WHAT_IS_KNOWN}) IS DISTINCT FROM (${KNOWN})
    RETURNING xmax = 0 AS "isNew")
    SELECT (count(*) FILTER (WHERE "isNew"))::int AS "inserted", (count(*) FILTER (WHERE NOT "isNew"))::int AS "changed"
      FROM saved`;
  return saved ?? NOTHING_SAVED;
}

/** Of these what was told last counts, of the others what was told first. */
const LAST_COUNTS = ['startAt', 'endAt', 'outcome', 'cpuSeconds', 'memoryBytes', 'readBytes', 'writtenBytes'];
const FIRST_COUNTS = ['account', 'group', 'programName', 'workFolder', 'gpus', 'memoryMebibytes'];
const COLUMNS = [...LAST_COUNTS, ...FIRST_COUNTS];
const TOLD_AGAIN = Prisma.raw(COLUMNS.map((column) => `"${column}"`).join(', '));
const KNOWN = Prisma.raw(COLUMNS.map((column) => `known."${column}"`).join(', '));
const WITH_WHAT_IS_KNOWN = Prisma.raw(
  [
    ...LAST_COUNTS.map((column) => `COALESCE(excluded."${column}", known."${column}")`),
    ...FIRST_COUNTS.map((column) => `COALESCE(known."${column}", excluded."${column}")`),
  ].join(', '),
);

/** How many records each of several sites has; sites without any are absent. */
export async function countRecordsOf(db: Db, siteIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const groups = await db.record.groupBy({
    by: ['siteId'],
    where: { siteId: { in: [...siteIds] } },
    _count: { _all: true },
  });
  return new Map(groups.map(({ siteId, _count }) => [siteId, _count._all]));
}
