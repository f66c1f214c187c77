import DataLoader from 'dataloader';
import { findCoAllocations } from '../store/co-allocations.ts';
import type { Db } from '../store/database.ts';
import { findExecution } from '../store/executions.ts';
import { findJobGroups } from '../store/job-groups.ts';
import { findPrincipalNames } from '../store/principals.ts';
import { countRecordsOf } from '../store/records.ts';
import { findReservations, tallyPromises } from '../store/reservations.ts';
import { readScoreCard } from '../store/score-card.ts';
import { readScripts } from '../store/scripts.ts';
import { findSiteModels } from '../store/site-owners.ts';
import {
  findSites,
  findSiteWords,
  listNewestObservations,
  type ObservationRow,
  type SiteWord,
} from '../store/sites.ts';
import { groupBy, many, one } from './batches.ts';
import { orderOfJobs, partsOfRequests } from './job-loaders.ts';

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
      async (ids) => (await Promise.all(ids.map((id) => findExecution(db, id)))).filter((row) => row !== null),
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

function factsOfSites(db: Db) {
  return {
    promisesOf: one(
      () => tallyPromises(db),
      ({ siteId }) => siteId,
    ),
    scoresOf: many(
      () => readScoreCard(db, null),
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

/** What a job's site says of it: of the attempt that is there, by that attempt's key. */
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
