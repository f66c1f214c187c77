import { openDatabase } from '../store/database.ts';

/** How far the sites of a deployment have come. */
export interface SitesState {
  /** That have been observed. */
  readonly observed: number;
  /** That have a checkpoint. */
  readonly learned: number;
  readonly records: number;
  /** Jobs that wait, by site, rising. */
  readonly waiting: readonly number[];
}

/** What a bench of sites reads in the tables themselves: whoever asks the API would have every site taken in. */
export interface SitesTables {
  state(): Promise<SitesState>;
  close(): Promise<void>;
}

/** Opens the tables of a deployment beside it. */
export function readSitesTables(databaseUrl: string): SitesTables {
  const database = openDatabase(databaseUrl, 1);
  const { db } = database;
  return {
    async state() {
      const sites = await db.$queryRaw<{ isLearned: boolean; records: number; waiting: number }[]>`
        SELECT EXISTS (SELECT FROM "Checkpoint" c WHERE c."siteId" = s."id") AS "isLearned",
               (SELECT count(*)::int FROM "Record" r WHERE r."siteId" = s."id") AS "records",
               jsonb_array_length(s."snapshot" -> 'waiting') AS "waiting"
          FROM "Site" s WHERE s."observedAt" IS NOT NULL`;
      return {
        observed: sites.length,
        learned: sites.filter(({ isLearned }) => isLearned).length,
        records: sites.reduce((sum, { records }) => sum + records, 0),
        waiting: sites.map(({ waiting }) => waiting).sort((a, b) => a - b),
      };
    },
    close: () => database.close(),
  };
}
