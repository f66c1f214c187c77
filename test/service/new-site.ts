import { randomUUID } from 'node:crypto';
import type { Db } from '../../src/store/database.ts';
import { createSite } from '../../src/store/sites.ts';

/** Registers a site of which nothing is known; its id. */
export async function newSite(db: Db): Promise<string> {
  return (await createSite(db, { name: randomUUID(), adapter: 'simulator', configuration: {}, now: 0 })).id;
}
