import { copyCheckpointTo } from '../store/checkpoints.ts';
import { openDatabase } from '../store/database.ts';

/** How far a site of a deployment has come that has been observed. */
export interface BenchedSite {
  readonly id: string;
  readonly name: string;
  /** Whether it has a checkpoint. */
  readonly isLearned: boolean;
  readonly records: number;
  /** Jobs that wait. */
  readonly waiting: number;
}

/** What a bench of sites reads in the tables themselves: whoever asks the API would have every site taken in. */
export interface SitesTables {
  /** Of all sites that have been observed. */
  states(): Promise<readonly BenchedSite[]>;
  /** Gives other sites whose jobs are the same what was learned of one, where nothing was learned of them yet. */
  copyLearned(fromId: string, toNames: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens the tables of a deployment beside it. */
export function readSitesTables(databaseUrl: string): SitesTables {
  const database = openDatabase(databaseUrl, 1);
  const { db } = database;
  return {
    states: () => db.$queryRaw<BenchedSite[]>`
      SELECT s."id"::text AS "id", s."name", EXISTS (SELECT FROM "Checkpoint" c WHERE c."siteId" = s."id") AS "isLearned",
             (SELECT count(*)::int FROM "Record" r WHERE r."siteId" = s."id") AS "records",
             jsonb_array_length(s."snapshot" -> 'waiting') AS "waiting"
        FROM "Site" s WHERE s."observedAt" IS NOT NULL`,
    copyLearned: (fromId, toNames) => copyCheckpointTo(db, fromId, toNames),
    close: () => database.close(),
  };
}
