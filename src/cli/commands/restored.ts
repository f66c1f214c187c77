import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { noteRestore } from '../../main/administration.ts';
import type { Config } from '../../main/config.ts';
import { usableDataFolder } from '../../main/data-folder.ts';
import { readLeftDatabaseUrl, startLocalPostgres } from '../../main/embedded-postgres.ts';
import type { Session } from '../session.ts';
import { databaseUrlOf } from './database-url.ts';

/** `gridcast restored` */
export async function runRestored({ config, output }: Session): Promise<void> {
  const sought = await withDatabaseUrl(config, (databaseUrl) => noteRestore(config, databaseUrl));
  output.result({ sought }, () => {
    const jobs = sought === 1 ? '1 open job is' : `${sought} open jobs are`;
    return `${jobs} looked for at the sites before anything is handed in again`;
  });
}

/** An embedded PostgreSQL that does not run is started for it. */
async function withDatabaseUrl<T>(config: Config, work: (databaseUrl: string) => Promise<T>): Promise<T> {
  if (config.DATABASE_URL) return work(config.DATABASE_URL);
  const { path: folder } = usableDataFolder(config.GRIDCAST_DATA);
  const isThere = existsSync(join(folder, 'postgres'));
  if (!isThere || readLeftDatabaseUrl(folder, 'gridcast') !== null) return work(databaseUrlOf(config));
  const server = await startLocalPostgres({ folder, disposable: false });
  try {
    return await work(await server.database('gridcast'));
  } finally {
    await server.stop();
  }
}
