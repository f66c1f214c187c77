import { join } from 'node:path';
import type { Config } from '../../main/config.ts';
import { usableDataFolder } from '../../main/data-folder.ts';
import { readLeftDatabaseUrl } from '../../main/embedded-postgres.ts';
import { CliFailure, EXIT } from '../failure.ts';

/**
 * The database to administer: DATABASE_URL, else the embedded one that `gridcast serve` runs with the same
 * GRIDCAST_DATA.
 * @throws CliFailure when there is neither
 */
export function databaseUrlOf(config: Config): string {
  if (config.DATABASE_URL) return config.DATABASE_URL;
  const { path } = usableDataFolder(config.GRIDCAST_DATA);
  const url = readLeftDatabaseUrl(path, 'gridcast');
  if (url) return url;
  throw new CliFailure(
    `no database: DATABASE_URL is not set and no embedded PostgreSQL runs in ${join(path, 'postgres')}`,
    EXIT.unreachable,
    'start `gridcast serve` first, or set DATABASE_URL',
  );
}
