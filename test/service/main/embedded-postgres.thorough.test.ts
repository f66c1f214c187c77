import { execFile } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type LocalPostgres, readLeftDatabaseUrl, startLocalPostgres } from '../../../src/main/embedded-postgres.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { isDatabaseAway } from '../../../src/store/database-away.ts';
import { deployMigrations } from '../../../src/store/migrate.ts';
import { makeOldPostgres } from './old-postgres.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

/** Runs one statement and returns its rows. */
async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Runs a shell command as a user who has nothing to do with the deployment. */
async function asSomebodyElse(command: string): Promise<string> {
  const options = { uid: NOBODY, gid: NOBODY, cwd: '/' };
  const { stdout } = await promisify(execFile)('sh', ['-c', command], options);
  return stdout;
}

/** The same address with other credentials. */
function withCredentials(url: string, user: string, password: string): string {
  const other = new URL(url);
  other.username = user;
  other.password = password;
  return other.href;
}

test('one that does not start is quoted, not the one before it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gridcast-damaged-'));
  try {
    await (await startLocalPostgres({ folder, disposable: true })).stop();
    appendFileSync(join(folder, 'postgres', 'postgresql.conf'), 'nonsense = 1\n');
    const error = await startLocalPostgres({ folder, disposable: true }).catch((reason: Error) => reason.message);
    expect(error).toContain('unrecognized configuration parameter "nonsense"');
    expect(error).not.toContain('ready to accept connections');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('one that has ended leaves nothing to be done at the end of its process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gridcast-ended-'));
  const before = process.listenerCount('exit');
  try {
    const server = await startLocalPostgres({ folder, disposable: true });
    expect(process.listenerCount('exit')).toBe(before + 1);
    await server.stop();
    await vi.waitFor(() => expect(process.listenerCount('exit')).toBe(before), 10_000);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('a server of our own', () => {
  let folder: string;
  let server: LocalPostgres;
  let url: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gridcast-closed-'));
    server = await startLocalPostgres({ folder, disposable: true });
    url = await server.database('gridcast');
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('listens on no port', async () => {
    expect(await ask(url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '' }]);
  });

  test.each([
    ['gridcast', 'gridcast'],
    ['gridcast', ''],
    ['gridcast_service', 'gridcast'],
    ['gridcast_service', ''],
    ['postgres', 'postgres'],
  ])('refuses %s with the password "%s"', async (user, password) => {
    await expect(ask(withCredentials(url, user, password), 'SELECT 1')).rejects.toThrow(
      /no pg_hba.conf entry|password authentication failed|client password must be a string|no password/,
    );
  });

  test('makes another secret in another folder', async () => {
    const other = mkdtempSync(join(tmpdir(), 'gridcast-closed-'));
    const neighbour = await startLocalPostgres({ folder: other, disposable: true });
    try {
      const { password } = new URL(await neighbour.database('gridcast'));
      expect(password).not.toBe(new URL(url).password);
      expect(password.length).toBeGreaterThan(30);
    } finally {
      await neighbour.stop();
      rmSync(other, { recursive: true, force: true });
    }
  });

  test.each([
    "COPY (SELECT 1) TO PROGRAM 'true'",
    "CREATE TEMP TABLE t (line text); COPY t FROM PROGRAM 'id'",
    "CREATE TEMP TABLE t (line text); COPY t FROM '/etc/hostname'",
    "SELECT pg_read_file('/etc/hostname')",
    "SELECT lo_import('/etc/hostname')",
    'SET ROLE gridcast',
    'ALTER ROLE gridcast_service SUPERUSER',
    'CREATE ROLE other SUPERUSER',
    "ALTER SYSTEM SET listen_addresses = '*'",
  ])('does not let the service do %s', async (statement) => {
    await expect(ask(url, statement)).rejects.toThrow(/permission denied/);
  });

  test('takes the migrations of a role without privileges', async () => {
    await deployMigrations(url, process.env);
    expect(await ask(url, 'SELECT count(*)::int AS sites FROM "Site"')).toEqual([{ sites: 0 }]);
    expect(await ask(url, 'SELECT rolsuper FROM pg_roles WHERE rolname = current_user')).toEqual([{ rolsuper: false }]);
  });

  test('keeps what it writes to itself', () => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const { mode } = statSync(join(folder, entry.name));
      expect(`${entry.name} ${(mode & 0o077).toString(8)}`).toBe(`${entry.name} 0`);
    }
  });

  test.runIf(isRoot)('is out of reach of other local users', async () => {
    for (const entry of readdirSync(folder)) {
      const path = join(folder, entry);
      await expect(asSomebodyElse(`cat '${path}' || ls '${path}/'`)).rejects.toThrow(/cat: .*Permission denied/);
    }
    await expect(asSomebodyElse(`ls '${folder}'`)).rejects.toThrow(/Permission denied/);
    const socket = join(new URL(url).searchParams.get('host') ?? '', '.s.PGSQL.5432');
    expect(existsSync(socket)).toBe(true);
    const knock = `require("net").connect("${socket}").on("error", (e) => { console.log(e.code); }).on("connect", () => process.exit())`;
    expect(await asSomebodyElse(`'${process.execPath}' -e '${knock}'`)).toBe('EACCES\n');
  });
});

test('a server that is down is away, also for an error that lost its code between threads', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gridcast-down-'));
  const server = await startLocalPostgres({ folder, disposable: true });
  const url = await server.database('gridcast');
  await server.stop();
  const database = openDatabase(url, 1);
  try {
    for (const asked of [ask(url, 'SELECT 1'), database.db.site.count(), database.db.$queryRaw`SELECT 1`]) {
      const error = await asked.then(() => null).catch((caught: Error) => caught);
      expect(isDatabaseAway(error), String(error)).toBe(true);
      expect(isDatabaseAway(new Error(error?.message)), error?.message).toBe(true);
    }
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('a folder of an earlier version', () => {
  test.each(['stopped', 'left running by a killed launcher'])('is upgraded, %s', async (how) => {
    const folder = mkdtempSync(join(tmpdir(), 'gridcast-old-'));
    const old = await makeOldPostgres(folder);
    await deployMigrations(old.url, process.env);
    await ask(old.url, `INSERT INTO "Tenant" ("id", "name", "createdAt") VALUES (gen_random_uuid(), 'old', now())`);
    await ask(old.url, 'CREATE SCHEMA other; CREATE VIEW other.names AS SELECT name FROM "Tenant"');
    if (how === 'stopped') await old.stop();
    expect(readLeftDatabaseUrl(folder, 'gridcast')).toBeNull();
    const server = await startLocalPostgres({ folder, disposable: true });
    try {
      const url = await server.database('gridcast');
      expect(await ask(url, 'SELECT * FROM other.names')).toEqual([{ name: 'old' }]);
      await ask(url, 'ALTER TABLE "Tenant" ADD COLUMN "later" int; ALTER TYPE "Role" ADD VALUE \'LATER\'');
      await ask(url, 'DROP SCHEMA other CASCADE');
      await deployMigrations(url, process.env);
      await expect(ask(old.url, 'SELECT 1')).rejects.toThrow(/ECONNREFUSED/);
      await expect(ask(withCredentials(url, 'gridcast', 'gridcast'), 'SELECT 1')).rejects.toThrow(/no pg_hba.conf/);
      await expect(ask(url, "COPY (SELECT 1) TO PROGRAM 'true'")).rejects.toThrow(/permission denied/);
      expect(readLeftDatabaseUrl(folder, 'gridcast')).toBe(url);
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

test('a folder with a long path has its socket elsewhere, as closed', async () => {
  const top = mkdtempSync(join(tmpdir(), 'gridcast-long-'));
  const folder = join(top, 'd'.repeat(60), 'e'.repeat(60));
  if (isRoot) await promisify(execFile)('chmod', ['711', top]);
  const server = await startLocalPostgres({ folder, disposable: true });
  const socketFolder = new URL(await server.database('gridcast')).searchParams.get('host') ?? '';
  try {
    expect(socketFolder.startsWith(top)).toBe(false);
    expect(statSync(socketFolder).mode & 0o077).toBe(0);
  } finally {
    await server.stop();
    rmSync(top, { recursive: true, force: true });
    rmSync(socketFolder, { recursive: true, force: true });
  }
});
