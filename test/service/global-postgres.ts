import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrateQueues } from '../../src/flow/queue-store.ts';
import { startLocalPostgres } from '../../src/main/embedded-postgres.ts';
import { deployMigrations } from '../../src/store/migrate.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the migrated database that `createTestDatabase` clones. */
    templateUrl: string;
  }
}

/** Starts one real PostgreSQL for all service tests and migrates the database they clone. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'gridcast-test-'));
  const postgres = await startLocalPostgres({ folder, disposable: true });
  const templateUrl = await postgres.database('template_gridcast');
  await deployMigrations(templateUrl, process.env);
  await migrateQueues(templateUrl);
  project.provide('templateUrl', templateUrl);
  return async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
