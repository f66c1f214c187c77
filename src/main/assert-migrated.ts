import type { Database } from '../store/database.ts';
import { missingMigrations } from '../store/migrate.ts';
import { CannotStart } from './cannot-start.ts';

/** @throws CannotStart when a database lacks a migration, with what to do about it */
export async function assertMigrated({ db }: Database): Promise<void> {
  const [first, ...others] = await missingMigrations(db);
  if (first === undefined) return;
  const more = others.length > 0 ? ` and ${others.length} later ones` : '';
  throw new CannotStart(`the database lacks the migration ${first}${more}`, 'run `gridcast migrate`');
}
