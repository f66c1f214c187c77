import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { settleBrokenOffMigrations } from './broken-off-migrations.ts';
import type { Db } from './database.ts';

/**
 * Brings a database to the newest schema with Prisma's own migration command, over its WASM engine: nothing is
 * downloaded. One that failed before or was broken off by a crash is made again.
 * @param environment what the command's process inherits
 * @throws MigrationFailure with Prisma's words when a migration fails
 */
export async function deployMigrations(databaseUrl: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const deploy = () => runDeploy({ ...environment, DATABASE_URL: databaseUrl });
  try {
    await deploy();
  } catch (error) {
    if (!(error instanceof MigrationFailure && error.message.includes(BROKEN_OFF_BEFORE))) throw error;
    await settleBrokenOffMigrations(databaseUrl).catch((cause: Error) => {
      const message = `a migration was broken off, and whether it was made cannot be settled: ${cause.message}`;
      throw new MigrationFailure(`${message}; run gridcast migrate again when nobody else migrates`, { cause });
    });
    await deploy();
  }
}

async function runDeploy(environment: NodeJS.ProcessEnv): Promise<void> {
  const root = projectRoot();
  // A process group of its own: Ctrl-C is for us, and a migration comes to its end.
  const deploying = spawn(process.execPath, [join(root, 'node_modules/prisma/build/index.js'), 'migrate', 'deploy'], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const said = Promise.all([text(deploying.stdout), text(deploying.stderr)]);
  const [exitCode] = await once(deploying, 'exit');
  if (exitCode !== 0) throw new MigrationFailure(inOwnWords((await said).join('')));
}

/** What Prisma said, without what is about its own parts. */
function inOwnWords(said: string): string {
  if (said.includes(WAITED_FOR_OTHERS)) {
    return 'somebody else migrates this database, for more than 10 s; run gridcast migrate again when that has ended';
  }
  const lines = said.split('\n').filter((line) => line.trim() !== '' && !OF_ITS_PARTS.some((part) => part.test(line)));
  return ['migrating the database failed:', ...new Set(lines.map((line) => line.trim()))].join('\n');
}

const WAITED_FOR_OTHERS = 'Timed out trying to acquire a postgres advisory lock';
/** Where it looked, and its stack but for the name of the migration. */
const OF_ITS_PARTS = [
  /^Datasource "|migrations found in |^Loaded Prisma config|^Prisma schema loaded/,
  /external connector error|^ +\d+: \w+::| +at schema-engine\//,
];

/**
 * Names of the migrations that a database has not got, oldest first: all of them where none was ever made. It may have
 * others, of a later version.
 */
export async function missingMigrations(db: Db): Promise<string[]> {
  const [table] = await db.$queryRaw<{ isThere: boolean }[]>`
    SELECT to_regclass('_prisma_migrations') IS NOT NULL AS "isThere"`;
  const made = table?.isThere
    ? await db.$queryRaw<{ name: string }[]>`
        SELECT migration_name AS "name" FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`
    : [];
  const names = new Set(made.map(({ name }) => name));
  return migrationNames().filter((name) => !names.has(name));
}

function migrationNames(): string[] {
  const entries = readdirSync(join(projectRoot(), 'prisma', 'migrations'), { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

/** The database was not brought to the newest schema. */
export class MigrationFailure extends Error {
  override readonly name = 'MigrationFailure';
}

/** The folder that holds package.json, whether this file runs from its source or compiled. */
function projectRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'prisma.config.ts'))) folder = dirname(folder);
  return folder;
}

/** Prisma's code for a migration that is neither finished nor rolled back. */
const BROKEN_OFF_BEFORE = 'P3009';
