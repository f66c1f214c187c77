import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * Brings a database to the newest schema with Prisma's own migration command, over its WASM engine: nothing is
 * downloaded.
 * @param environment what the command's process inherits
 * @throws MigrationFailure with Prisma's words when a migration fails
 */
export async function deployMigrations(databaseUrl: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const root = projectRoot();
  const prisma = join(root, 'node_modules', 'prisma', 'build', 'index.js');
  try {
    await promisify(execFile)(process.execPath, [prisma, 'migrate', 'deploy'], {
      cwd: root,
      env: { ...environment, DATABASE_URL: databaseUrl },
    });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new MigrationFailure(`migrating the database failed:\n${stdout}${stderr}`, { cause: error });
  }
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
