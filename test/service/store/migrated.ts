import { afterEach, beforeEach, expect } from 'vitest';
import { deployMigrations, missingMigrations } from '../../../src/store/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

/** A database of each test's own, to be migrated. */
export interface Migrated {
  readonly url: string;
  readonly db: TestDatabase['database']['db'];
  change(...statements: string[]): Promise<void>;
  /** Migrates it, and sees that nothing is missing. */
  expectAllMade(): Promise<void>;
}

/** To be asked for outside of tests. */
export function migrated(): Migrated {
  let stores: TestDatabase;
  beforeEach(async () => {
    stores = await createTestDatabase();
  });
  afterEach(async () => {
    await stores.drop();
  });
  return {
    get url() {
      return stores.url;
    },
    get db() {
      return stores.database.db;
    },
    async change(...statements) {
      for (const statement of statements) await stores.database.db.$executeRawUnsafe(statement);
    },
    async expectAllMade() {
      await deployMigrations(stores.url, process.env);
      expect(await missingMigrations(stores.database.db)).toEqual([]);
      expect(await stores.database.db.site.count()).toBe(0);
    },
  };
}
