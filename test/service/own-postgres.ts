import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrateQueues } from '../../src/flow/wake-queue.ts';
import { type LocalPostgres, startLocalPostgres } from '../../src/main/embedded-postgres.ts';
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

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'gridcast-own-postgres-'));
  let server = await startLocalPostgres({ folder, disposable: false });
  const url = await server.database('gridcast');
  await deployMigrations(url, process.env);
  await migrateQueues({ databaseUrl: url, redisUrl: null });
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
      server = await startAgain(folder);
    },
  };
  return own;
}

/** The backends of a killed server linger for a moment, and no other one starts beside them. */
async function startAgain(folder: string): Promise<LocalPostgres> {
  for (let attempt = 1; ; attempt++) {
    await sleep(300);
    try {
      return await startLocalPostgres({ folder, disposable: false });
    } catch (error) {
      if (attempt === 100) throw error;
    }
  }
}
