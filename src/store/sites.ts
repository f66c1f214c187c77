import { type AllowedSites, isAllowed } from '../domain/allowed-sites.ts';
import type { EpochSeconds } from '../domain/clock.ts';
import type { DownTimeEvidence, DownTimeState } from '../domain/down-time.ts';
import type { CandidateSite } from '../domain/plan.ts';
import type { MaintenanceWindow } from '../domain/site.ts';
import type { RunningJob, Snapshot } from '../domain/snapshot.ts';
import { stagingSourcesOf } from '../domain/staging-sources.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { publishChange } from './events.ts';
import { toDate, type WithMoments, withMoments } from './moments.ts';
import { sharedRead } from './shared-read.ts';
import { type KeptFacts, queueColumns, resourceColumns, resourceFactsOf } from './site-resources.ts';
import { NOBODY, type Standing } from './standing.ts';
import { assertChanged, type Turn } from './turns.ts';

const WITHOUT_SNAPSHOT = {
  omit: { snapshot: true, downTimeState: true },
  include: { queues: { orderBy: { name: 'asc' } } },
} as const;

/** A row that was changed comes back whole unless told, with a snapshot that may have megabytes. */
export const AND_TELLS_NOTHING = { select: { id: true } } as const;

/** A site with its queues, without its newest snapshot and what the down-time detector remembers. */
export type SiteRow = WithMoments<Prisma.SiteGetPayload<typeof WITHOUT_SNAPSHOT>>;

/** A site as it is registered. */
export interface NewSite {
  readonly name: string;
  readonly adapter: string;
  readonly configuration: Prisma.InputJsonValue;
  /** What it has, software or data; nothing unless told. */
  readonly tags?: readonly string[];
  readonly now: EpochSeconds;
}

/** Registers a site. Its facts are unknown until its first observation. */
export async function createSite(tx: Db, site: NewSite): Promise<SiteRow> {
  const { name, adapter, configuration, tags = [], now } = site;
  const row = await tx.site.create({
    data: { name, adapter, configuration, tags: [...tags], createdAt: toDate(now), wakeAt: toDate(now) },
    ...WITHOUT_SNAPSHOT,
  });
  return withMoments(row);
}

/** What is to change of a site; null leaves it. */
export interface SiteChange {
  readonly name: string | null;
  readonly tags: readonly string[] | null;
  readonly configuration: Prisma.InputJsonValue | null;
}

/**
 * Gives a site another name, other tags or another configuration. With another configuration its last fault is
 * forgotten, and which of its services were left alone.
 */
export async function changeSite(tx: Db, siteId: string, { name, tags, configuration }: SiteChange): Promise<void> {
  const reached = configuration === null ? {} : { configuration, fault: null, openBreakers: [] };
  const said = { ...(name !== null && { name }), ...(tags !== null && { tags: [...tags] }) };
  await tx.site.update({ where: { id: siteId }, data: { ...said, ...reached }, ...AND_TELLS_NOTHING });
}

/** Every site that is not removed, by name. */
export const listSites: (db: Db) => Promise<readonly SiteRow[]> = sharedRead(
  () => '',
  async (db) =>
    withMoments(await db.site.findMany({ where: { removedAt: null }, orderBy: { name: 'asc' }, ...WITHOUT_SNAPSHOT })),
);

/** The same without those that a caller does not let take its work. */
export async function listAllowedSites(db: Db, allowed: AllowedSites): Promise<SiteRow[]> {
  return (await listSites(db)).filter(({ id }) => isAllowed(allowed, id));
}

/** The sites of those ids, removed ones too, in no particular order. */
export async function findSites(db: Db, ids: readonly string[]): Promise<SiteRow[]> {
  return withMoments(await db.site.findMany({ where: { id: { in: [...ids] } }, ...WITHOUT_SNAPSHOT }));
}

/** The sites of those ids that are not removed, by name. */
export const findStandingSites: (db: Db, ids: readonly string[]) => Promise<readonly SiteRow[]> = sharedRead(
  (ids) => ids.join(' '),
  async (db, ids) => {
    const where = { id: { in: [...ids] }, removedAt: null };
    return withMoments(await db.site.findMany({ where, orderBy: { name: 'asc' }, ...WITHOUT_SNAPSHOT }));
  },
);

/** A site by its id, though it may be removed: what happened there is still told. */
export const findSite: (db: Db, id: string) => Promise<SiteRow | null> = sharedRead(
  (id) => id,
  async (db, id) => withMoments(await db.site.findUnique({ where: { id }, ...WITHOUT_SNAPSHOT })),
);

/** A site by its id, unless it is removed. */
export async function findStandingSite(db: Db, id: string): Promise<SiteRow | null> {
  const site = await findSite(db, id);
  return site?.removedAt === null ? site : null;
}

/** The site that bears a name now. */
export async function findSiteByName(db: Db, name: string): Promise<SiteRow | null> {
  return withMoments(await db.site.findFirst({ where: { name, removedAt: null }, ...WITHOUT_SNAPSHOT }));
}

/** A site in the planner's words, with what holds there for whoever plans. */
export function asCandidate(site: SiteRow, standing: Standing = NOBODY): CandidateSite {
  const { refusals, defaults, usualStagedBytesPerSecond } = standing;
  const identity = standing.identityAt?.(site);
  const usual = defaults.get(site.id);
  const { id: siteId, name, state, processors, usableProcessors, tags, observedAt } = site;
  return {
    siteId,
    name,
    state,
    processors,
    usableProcessors,
    maintenance: maintenanceOf(site),
    ...resourceFactsOf(site),
    tags,
    observedAt,
    stagedBytesPerSecond: site.stagedBytesPerSecond ?? usualStagedBytesPerSecond ?? null,
    stagingSources: stagingSourcesOf(site.configuration),
    downSigns: downEvidenceOf(site),
    refusals: refusals.filter((refusal) => refusal.siteId === siteId),
    ...(usual && { defaults: usual }),
    ...(identity && { identity }),
  };
}

/** The newest snapshot of a site, null when it never answered. */
export async function readSnapshot(db: Db, siteId: string): Promise<Snapshot | null> {
  const row = await db.site.findUnique({ where: { id: siteId }, select: { snapshot: true } });
  return (row?.snapshot ?? null) as Snapshot | null;
}

/** What a site's newest look left. */
export interface LastLook {
  /** The jobs that its snapshot shows running; none when it never answered. */
  readonly running: readonly RunningJob[];
  /** What the down-time detector remembers; null before its first look. */
  readonly downTimeState: DownTimeState | null;
}

export async function readLastLook(db: Db, siteId: string): Promise<LastLook> {
  const [row] = await db.$queryRaw<{ running: LastLook['running'] | null; downTimeState: DownTimeState | null }[]>`
    SELECT "snapshot" -> 'running' AS "running", "downTimeState" FROM "Site" WHERE "id" = ${siteId}::uuid`;
  return { running: row?.running ?? [], downTimeState: row?.downTimeState ?? null };
}

/** What a site says of a job that is there, in its own words. */
export interface SiteWord {
  readonly key: string;
  readonly reason: string | null;
  readonly estimatedStartAt: EpochSeconds | null;
  readonly priority: number | null;
}

/** What the newest snapshots of those sites say of the jobs that bear one of the keys. */
export async function findSiteWords(db: Db, siteIds: readonly string[], keys: readonly string[]): Promise<SiteWord[]> {
  return db.$queryRaw<SiteWord[]>`
    SELECT j->>'key' AS "key", j->>'reason' AS "reason", (j->>'estimatedStartAt')::float8 AS "estimatedStartAt",
           (j->>'priority')::float8 AS "priority"
      FROM "Site" s CROSS JOIN LATERAL jsonb_array_elements(s."snapshot"->'waiting' || (s."snapshot"->'running')) AS j
     WHERE s."id" = ANY(${[...siteIds]}::uuid[]) AND j->>'key' = ANY(${[...keys]})`;
}

/** Gives or takes the site its right to new work. False for one that is being removed, which stays so. */
export async function setSiteState(tx: Db, siteId: string, state: 'ACTIVE' | 'DRAINING'): Promise<boolean> {
  const where = { id: siteId, state: { not: 'REMOVING' as const } };
  return (await tx.site.updateMany({ where, data: { state } })).count === 1;
}

/** A site takes no work from now on, for good. Waits for those who are giving it some. */
export async function beginRemoval(tx: Db, siteId: string): Promise<void> {
  await tx.site.update({ where: { id: siteId }, data: { state: 'REMOVING' }, ...AND_TELLS_NOTHING });
}

/** A site is gone and its name free: nobody looks at it any more. What happened there stays. */
export async function finishRemoval(tx: Db, siteId: string, now: EpochSeconds): Promise<void> {
  const data = { removedAt: toDate(now), wakeAt: null, fault: null };
  await tx.site.update({ where: { id: siteId }, data, ...AND_TELLS_NOTHING });
  await publishChange(tx, { type: 'SITE', id: siteId, tenantId: null });
}

/** Replaces what is known of a site's size, nodes and queues, and of what jobs can ask of it. */
export async function saveSiteFacts(tx: Db, siteId: string, facts: KeptFacts, now: EpochSeconds): Promise<void> {
  const { processors, maintenance = [] } = facts;
  const data = { processors, maintenance: asJson(maintenance), factsAt: toDate(now), ...resourceColumns(facts) };
  await tx.site.update({ where: { id: siteId }, data, ...AND_TELLS_NOTHING });
  await tx.queue.deleteMany({ where: { siteId } });
  await tx.queue.createMany({ data: facts.queues.map((queue) => ({ siteId, ...queueColumns(queue) })) });
}

/** Notes that what is known of a site's size, nodes and queues was found to be so. */
export async function confirmSiteFacts(db: Db, siteId: string, now: EpochSeconds): Promise<void> {
  await db.$executeRaw`UPDATE "Site" SET "factsAt" = ${toDate(now)} WHERE "id" = ${siteId}::uuid`;
}

/**
 * Keeps a snapshot as the newest and its figures as an observation, and tells of it. A snapshot older than the one kept
 * is a broken invariant.
 */
export async function saveSnapshot(tx: Db, turn: Turn, snapshot: Snapshot): Promise<void> {
  const { processors, freeProcessors, clockSkewSeconds = null, waiting, running } = snapshot;
  const waitingProcessors = waiting.reduce((sum, job) => sum + job.processors, 0);
  const count = await tx.$executeRaw`
    WITH kept AS (
      UPDATE "Site"
         SET "snapshot" = ${JSON.stringify(snapshot)}::jsonb, "observedAt" = ${toDate(snapshot.observedAt)},
             "clockSkewSeconds" = ${clockSkewSeconds}::float8, "usableProcessors" = ${processors}::int, "fault" = NULL
       WHERE "id" = ${turn.id}::uuid AND "version" = ${turn.version}
      RETURNING "id", "observedAt")
    INSERT INTO "Observation" AS o ("siteId", "observedAt", "processors", "freeProcessors", "waitingJobs",
           "waitingProcessors", "runningJobs")
    SELECT "id", "observedAt", ${processors}::int, ${freeProcessors}::int, ${waiting.length}::int,
           ${waitingProcessors}::int, ${running.length}::int
      FROM kept
        ON CONFLICT ("siteId", "observedAt") DO UPDATE
       SET "processors" = excluded."processors", "freeProcessors" = excluded."freeProcessors",
           "waitingJobs" = excluded."waitingJobs", "waitingProcessors" = excluded."waitingProcessors",
           "runningJobs" = excluded."runningJobs"`;
  assertChanged(turn, count);
  await publishChange(tx, { type: 'SITE', id: turn.id, tenantId: null });
}

/** The evidence that a site is down, as of its newest look. */
export function downEvidenceOf({ downEvidence }: SiteRow): readonly DownTimeEvidence[] {
  return downEvidence as unknown as DownTimeEvidence[];
}

/** The windows a site has announced, as of when its facts were last read. */
export function maintenanceOf({ maintenance }: SiteRow): readonly MaintenanceWindow[] {
  return maintenance as unknown as MaintenanceWindow[];
}

function asJson(value: unknown): Prisma.InputJsonValue {
  return value as Prisma.InputJsonValue;
}

/** Where the next incremental history call goes on from. */
export async function saveHistorySince(tx: Db, siteId: string, since: EpochSeconds): Promise<void> {
  await tx.site.update({ where: { id: siteId }, data: { historySince: toDate(since) }, ...AND_TELLS_NOTHING });
}

/** Ends the retention of up to `limit` observations made before a moment; returns how many went. */
export async function deleteObservationsBefore(db: Db, before: EpochSeconds, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "Observation" WHERE ctid IN (
      SELECT ctid FROM "Observation" WHERE "observedAt" < to_timestamp(${before}::float8) LIMIT ${limit}::int
         FOR UPDATE SKIP LOCKED)`;
}

/** What a site said at one moment, in figures. */
export type ObservationRow = WithMoments<Prisma.ObservationGetPayload<Record<string, never>>>;

/** The newest `last` observations of each of several sites, oldest first. */
export async function listNewestObservations(
  db: Db,
  siteIds: readonly string[],
  last: number,
): Promise<ObservationRow[]> {
  return db.$queryRaw<ObservationRow[]>`
    SELECT o."siteId"::text AS "siteId", extract(epoch FROM o."observedAt")::float8 AS "observedAt", o."processors",
           o."freeProcessors", o."waitingJobs", o."waitingProcessors", o."runningJobs"
      FROM unnest(${[...siteIds]}::uuid[]) AS s("id")
     CROSS JOIN LATERAL (SELECT * FROM "Observation" WHERE "siteId" = s."id" ORDER BY "observedAt" DESC LIMIT ${last}::int) o
     ORDER BY o."siteId", o."observedAt"`;
}

/** Keeps that all our jobs at a site were followed as of a snapshot. */
export async function saveFollowed(tx: Db, siteId: string, observedAt: EpochSeconds): Promise<void> {
  await tx.site.update({ where: { id: siteId }, data: { followedAt: toDate(observedAt) }, ...AND_TELLS_NOTHING });
}
