import type { TestContext } from 'vitest';
import { createTestDatabase } from './database.ts';
import { buildPostgresDoor, type PostgresDoor } from './postgres-door.ts';

/** What a test leaves goes in the opposite order when it ends; tests here run side by side, for they mostly wait. */
type Context = Pick<TestContext, 'onTestFinished'>;

/** A migrated database behind a door. */
export async function databaseBehindDoor({ onTestFinished }: Context): Promise<PostgresDoor> {
  const stores = await createTestDatabase();
  onTestFinished(() => stores.drop());
  const door = await buildPostgresDoor(stores.url);
  onTestFinished(() => door.close());
  return door;
}
