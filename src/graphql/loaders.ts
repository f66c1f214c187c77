import DataLoader from 'dataloader';
import { findCoAllocations } from '../store/co-allocations.ts';
import type { Db } from '../store/database.ts';
import { findGroupPredecessors, findPredecessors, findSuccessors } from '../store/dependencies.ts';
import { type ExecutionRow, findExecutions } from '../store/executions.ts';
import { findJobGroups, tallyTasks } from '../store/job-groups.ts';
import { findForecastsOf, findNewestPlans } from '../store/plans.ts';
import { findPrincipalNames } from '../store/principals.ts';
import { countRecordsOf } from '../store/records.ts';
import { findLegs, findReservations, findReservationsOf, tallyPromises } from '../store/reservations.ts';
import { findCharges, tallyScores } from '../store/scores.ts';
import { readScripts } from '../store/scripts.ts';
import { findSiteModels } from '../store/site-owners.ts';
import {
  findSites,
  findSiteWords,
  listNewestObservations,
  type ObservationRow,
  type SiteWord,
} from '../store/sites.ts';
import { findStaged, type StagedForJob } from '../store/stagings.ts';
import { findSubmissions } from '../store/submissions.ts';
import { findTries } from '../store/tries.ts';

/** Batched reads of one operation: one query below every list, whatever its length. */
export type Loaders = ReturnType<typeof createLoaders>;

export function createLoaders(db: Db) {
  return { ...rowsById(db), ...partsOfRequests(db), ...orderOfJobs(db), ...factsOfSites(db) };
}

function rowsById(db: Db) {
  return {
    site: one(
      (ids) => findSites(db, ids),
      ({ id }) => id,
    ),
    execution: one(
      (ids) => findExecutions(db, ids),
      ({ id }) => id,
    ),
    principal: one(
      (ids) => findPrincipalNames(db, ids),
      ({ id }) => id,
    ),
    reservation: one(
      (ids) => findReservations(db, ids),
      ({ id }) => id,
    ),
    /** By its hash. */
    script: one(
      async (hashes) => Array.from(await readScripts(db, hashes), ([hash, text]) => ({ hash, text })),
      ({ hash }) => hash,
    ),
    coAllocation: one(
      (ids) => findCoAllocations(db, ids),
      ({ id }) => id,
    ),
    jobGroup: one(
      (ids) => findJobGroups(db, ids),
      ({ id }) => id,
    ),
  };
}

/** What belongs to jobs, plans and co-allocations. */
function partsOfRequests(db: Db) {
  return {
    reservationOf: one(
      (ids) => findReservationsOf(db, ids),
      ({ executionId }) => executionId,
    ),
    planOf: one(
      (ids) => findNewestPlans(db, ids),
      ({ executionId }) => executionId,
    ),
    triesOf: many(
      (ids) => findTries(db, ids),
      ({ executionId }) => executionId,
    ),
    legsOf: many(
      (ids) => findLegs(db, ids),
      ({ coAllocationId }) => coAllocationId,
    ),
    forecastsOf: many(
      (ids) => findForecastsOf(db, ids),
      ({ planId }) => planId,
    ),
    submissionsOf: many(
      (ids) => findSubmissions(db, ids),
      ({ executionId }) => executionId,
    ),
    tasksOf: many(
      (ids) => tallyTasks(db, ids),
      ({ groupId }) => groupId,
    ),
    stagedOf: new DataLoader<ExecutionRow, StagedForJob, string>((rows) => findStaged(db, rows), {
      cacheKeyFn: ({ id }) => id,
    }),
    chargesOf: many(
      (ids) => findCharges(db, ids),
      ({ executionId }) => executionId,
    ),
  };
}

/** What jobs come after, and what comes after them. */
function orderOfJobs(db: Db) {
  return {
    predecessorsOf: many(
      (ids) => findPredecessors(db, ids),
      ({ executionId }) => executionId,
    ),
    groupsBefore: many(
      (ids) => findGroupPredecessors(db, ids),
      ({ executionId }) => executionId,
    ),
    successorsOf: many(
      (ids) => findSuccessors(db, ids, MOST_SUCCESSORS),
      ({ predecessorId }) => predecessorId,
    ),
  };
}

/** Told of one job. */
const MOST_SUCCESSORS = 100;

function factsOfSites(db: Db) {
  return {
    promisesOf: one(
      () => tallyPromises(db),
      ({ siteId }) => siteId,
    ),
    scoresOf: many(
      () => tallyScores(db, null),
      ({ siteId }) => siteId,
    ),
    modelOf: one(
      (ids) => findSiteModels(db, ids),
      ({ siteId }) => siteId,
    ),
    recordCountOf: new DataLoader<string, number>(async (ids) => {
      const counts = await countRecordsOf(db, ids);
      return ids.map((id) => counts.get(id) ?? 0);
    }),
    observationsOf: observations(db),
    siteWordOf: siteWords(db),
  };
}

function one<Row>(read: (ids: readonly string[]) => Promise<readonly Row[]>, keyOf: (row: Row) => string) {
  return new DataLoader<string, Row | null>(async (ids) => {
    const rows = new Map((await read(ids)).map((row) => [keyOf(row), row]));
    return ids.map((id) => rows.get(id) ?? null);
  });
}

function many<Row>(read: (ids: readonly string[]) => Promise<readonly Row[]>, keyOf: (row: Row) => string | null) {
  return new DataLoader<string, readonly Row[]>(async (ids) => {
    const rows = groupBy(await read(ids), keyOf);
    return ids.map((id) => rows.get(id) ?? []);
  });
}

/** What a job's site says of it while it waits there: of the attempt that is in its queue, by that attempt's key. */
function siteWords(db: Db) {
  return new DataLoader<{ siteId: string; key: string }, SiteWord | null, string>(
    async (jobs) => {
      const siteIds = [...new Set(jobs.map(({ siteId }) => siteId))];
      const words = await findSiteWords(
        db,
        siteIds,
        jobs.map(({ key }) => key),
      );
      const byKey = new Map(words.map((word) => [word.key, word]));
      return jobs.map(({ key }) => byKey.get(key) ?? null);
    },
    { cacheKeyFn: ({ siteId, key }) => `${siteId}:${key}` },
  );
}

/** The newest observations of a site, as many as asked for, oldest first. */
function observations(db: Db) {
  type Key = { readonly siteId: string; readonly last: number };
  return new DataLoader<Key, readonly ObservationRow[], string>(
    async (keys) => {
      const last = Math.max(...keys.map((key) => key.last));
      const siteIds = [...new Set(keys.map(({ siteId }) => siteId))];
      const rows = groupBy(await listNewestObservations(db, siteIds, last), ({ siteId }) => siteId);
      return keys.map((key) => rows.get(key.siteId)?.slice(-key.last) ?? []);
    },
    { cacheKeyFn: ({ siteId, last }) => `${siteId}:${last}` },
  );
}

function groupBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}
