import type { Db } from './database.ts';
import { ANY, gathered } from './gathered.ts';

/** Those of the sites that take work, which stays so until the transaction ends. */
export const lockSitesThatTakeWork: (tx: Db, siteIds: readonly string[]) => Promise<ReadonlySet<string>> = gathered(
  ANY,
  async (tx, lists) => {
    const ids = [...new Set(lists.flat())];
    const rows = await tx.$queryRaw<{ id: string }[]>`
      SELECT "id"::text AS "id" FROM "Site" WHERE "id" = ANY(${ids}::uuid[]) AND "state" = 'ACTIVE'
       ORDER BY "id" FOR SHARE`;
    const open = new Set(rows.map(({ id }) => id));
    return lists.map(() => open);
  },
);
