import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { StatementCounts } from '../../src/store/statements.ts';

/** A database of a test's own, with the whole schema in it. */
export interface TestDatabase {
  readonly url: string;
  readonly database: Database;
  /** What is sent to it through that. */
  readonly statements: StatementCounts;
  /** Closes the pool and removes the database, whoever is still connected. */
  drop(): Promise<void>;
}

/** Clones the migrated template; takes some 50 ms. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const templateUrl = inject('templateUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(templateUrl, `CREATE DATABASE ${name} TEMPLATE ${new URL(templateUrl).pathname.slice(1)}`);
  const url = withDatabase(templateUrl, name);
  const statements = new StatementCounts();
  const database = openDatabase(url, 10, undefined, statements);
  return {
    url,
    database,
    statements,
    async drop() {
      await database.close();
      await dropDatabase(templateUrl, name);
    },
  };
}

/** Tries again while PostgreSQL's own cleaner is at work in it, which only a superuser may end. */
async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await administer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    } catch (error) {
      if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE || tries === MOST_DROPS) throw error;
      await sleep(500);
    }
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';
const MOST_DROPS = 20;

async function administer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: withDatabase(serverUrl, 'postgres') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function withDatabase(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}
