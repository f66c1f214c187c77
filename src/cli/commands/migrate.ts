import { migrate } from '../../main/administration.ts';
import type { Session } from '../session.ts';
import { databaseUrlOf } from './database-url.ts';

/** `gridcast migrate` */
export async function runMigrate({ config, output }: Session): Promise<void> {
  const databaseUrl = databaseUrlOf(config);
  await migrate(config, databaseUrl);
  output.result({ migrated: true }, () => 'the database has the newest schema');
}
