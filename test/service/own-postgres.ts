import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateQueues } from '../../src/flow/queue-store.ts';
import { startLocalPostgres } from '../../src/main/embedded-postgres.ts';
import { openDatabase } from '../../src/store/database.ts';
import { deployMigrations } from '../../src/store/migrate.ts';
import { StatementCounts } from '../../src/store/statements.ts';
import type { TestDatabase } from './database.ts';

/** A PostgreSQL of a test's own, with the whole schema in it, that may be killed. */
export interface OwnPostgres {
  readonly stores: TestDatabase;
  /** Kills the server as a crash would and starts it again. */
  crashAndRestart(): Promise<void>;
  /** Ends the server: SIGKILL as a crash would, SIGINT by a fast shutdown. */
  stop(signal: 'SIGKILL' | 'SIGINT'): Promise<void>;
  /** Starts it again. */
  startAgain(): Promise<void>;
}

/** @param parent where its folder is made */
export async function startOwnPostgres(parent = tmpdir()): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(parent, 'gridcast-own-postgres-'));
  let server = await startLocalPostgres({ folder, disposable: false });
  const url = await server.database('gridcast');
  await deployMigrations(url, process.env);
  await migrateQueues(url);
  const statements = new StatementCounts();
  const database = openDatabase(url, 10, undefined, statements);
  const own: OwnPostgres = {
    stores: {
      url,
      database,
      statements,
      async drop() {
        await database.close();
        await server.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    },
    async crashAndRestart() {
      await own.stop('SIGKILL');
      await own.startAgain();
    },
    async stop(signal) {
      if (signal === 'SIGINT') await server.stop();
      else process.kill(server.pid, signal);
    },
    async startAgain() {
      server = await startLocalPostgres({ folder, disposable: false });
    },
  };
  return own;
}
