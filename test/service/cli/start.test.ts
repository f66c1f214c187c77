import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { stopLeftStack } from '../../../src/main/stack.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

const ENTRY = fileURLToPath(new URL('../../../bin/gridcast.mjs', import.meta.url));

const started: ChildProcess[] = [];
let folder: string;
let stores: TestDatabase;
/** Holds a port. */
let holder: Server;
let port: number;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-start-'));
  chmodSync(folder, 0o755);
  stores = await createTestDatabase();
  holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  ({ port } = holder.address() as AddressInfo);
});
afterAll(async () => {
  for (const child of started) if (child.exitCode === null) child.kill('SIGKILL');
  holder.close();
  await stopLeftStack(folder, () => undefined);
  await stores.drop();
  rmSync(folder, { recursive: true, force: true });
});

function start(databaseUrl: string, ...args: string[]): ChildProcess & { stdout: NonNullable<ChildProcess['stdout']> } {
  const takenFor = args[0] === 'worker' ? { GRIDCAST_WORKER_PORT: String(port) } : {};
  const env = { ...process.env, DATABASE_URL: databaseUrl, REDIS_URL: '', GRIDCAST_DATA: folder, ...takenFor };
  const child = spawn(process.execPath, [ENTRY, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  return child as never;
}

async function run(databaseUrl: string, ...args: string[]) {
  const child = start(databaseUrl, ...args);
  const exit = once(child, 'exit');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr as never)]);
  const [exitCode] = await exit;
  return { stdout, stderr, exitCode };
}

function sitesFile(name: string, sitePort: number): string {
  const file = join(folder, name);
  const site = { name: 'alder', processors: 64, policy: 'easy', workload: { generated: { seed: 1, load: 0.5 } } };
  writeFileSync(file, JSON.stringify({ port: sitePort, journalFolder: join(folder, 'journal'), sites: [site] }));
  return file;
}

describe('a port that is taken is a sentence, not a stack', () => {
  test.each([
    ['the API alone', () => run(stores.url, 'serve', '--port', String(port)), '--port'],
    ['the whole service', () => run('', 'serve', '--port', String(port)), '--port'],
    ['simulated sites', () => run('', 'simulated-sites', '--config', sitesFile('taken.json', port)), '"port" in'],
    ['a worker', () => run(stores.url, 'worker'), 'GRIDCAST_WORKER_PORT'],
  ])('%s', async (_what, command, option) => {
    const { stderr, exitCode } = await command();
    expect(stderr).toContain(`port ${port} of 127.0.0.1 is in use`);
    expect(stderr).toContain(`ss -ltnp 'sport = :${port}'`);
    expect(stderr).toContain(option);
    expect(stderr).not.toMatch(/^ +at /m);
    expect(exitCode).toBe(1);
  });
});

test('a host that is none of this machine is a sentence, too', async () => {
  vi.stubEnv('GRIDCAST_HOST', 'nowhere.invalid');
  const runs = [run(stores.url, 'serve', '--port', '0'), run(stores.url, 'worker')];
  for (const { stderr, exitCode } of await Promise.all(runs).finally(() => vi.unstubAllEnvs())) {
    expect(stderr).toContain('GRIDCAST_HOST "nowhere.invalid" is no address of this machine');
    expect(stderr).not.toMatch(/^ +at /m);
    expect(exitCode).toBe(1);
  }
});

test.each(['worker', 'serve'])('%s whose database does not exist ends', async (command) => {
  const nowhere = new URL(stores.url);
  nowhere.pathname = '/nowhere';
  const { stderr, exitCode } = await run(nowhere.href, command);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('gridcast: ');
});

test('a file that a setting names and that is not there is told before anything starts', async () => {
  const [one, other] = [join(folder, 'nowhere.json'), join(folder, 'nor-here.json')];
  vi.stubEnv('GRIDCAST_TUNED', `${one},${other}`);
  const { stderr, exitCode } = await run('', 'serve', '--port', '0').finally(() => vi.unstubAllEnvs());
  expect(exitCode).toBe(1);
  const [heading, ...faults] = stderr.trimEnd().split('\n');
  expect(heading).toBe('gridcast: the configuration is not usable:');
  expect(faults).toEqual([
    expect.stringMatching(`GRIDCAST_TUNED: .*${one}`),
    expect.stringMatching(`GRIDCAST_TUNED: .*${other}`),
  ]);
});

describe('a database of an older version is named, and what to do', () => {
  let older: TestDatabase;
  beforeAll(async () => {
    older = await createTestDatabase();
  });
  afterAll(() => older.drop());

  test.each(['worker', 'serve', 'token list'])('%s', async (command) => {
    await older.database.db.$executeRaw`
      DELETE FROM _prisma_migrations WHERE migration_name IN (
        SELECT migration_name FROM _prisma_migrations ORDER BY migration_name DESC LIMIT 2)`;
    const { stderr, exitCode } = await run(older.url, ...command.split(' '));
    expect(stderr).toContain('the database lacks the migration ');
    expect(stderr).toContain('run `gridcast migrate`');
    expect(exitCode).toBe(1);
  });

  test('without any', async () => {
    await older.database.db.$executeRaw`DROP TABLE _prisma_migrations`;
    const { stderr, exitCode } = await run(older.url, 'worker');
    expect(stderr).toMatch(/lacks the migration \S+ and \d+ later ones/);
    expect(exitCode).toBe(1);
  });
});

test('simulated sites say where they are, which they are, how to use them and how to end them', async () => {
  const child = start('', 'simulated-sites', '--config', sitesFile('free.json', 0));
  let stdout = '';
  const told = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      if (stdout.includes('Ctrl-C')) resolve();
    });
  });
  await told;
  expect(stdout).toMatch(/http:\/\/127\.0\.0\.1:\d+/);
  expect(stdout).toMatch(/alder +64 processors/);
  const [, configuration = ''] = /--adapter simulator --configuration '(.*)'/.exec(stdout) ?? [];
  const { url } = JSON.parse(configuration);
  expect((await fetch(url)).status).toBeLessThan(500);
  child.kill('SIGINT');
  const [exitCode] = await once(child, 'exit');
  expect(exitCode).toBe(0);
});

test('a configuration of simulated sites that cannot be read is named', async () => {
  const { stderr, exitCode } = await run('', 'simulated-sites', '--config', join(folder, 'none.json'));
  expect(stderr).toContain(`${join(folder, 'none.json')} cannot be read`);
  expect(exitCode).toBe(1);
  const torn = join(folder, 'torn.json');
  writeFileSync(torn, '{"port":');
  expect((await run('', 'simulated-sites', '--config', torn)).stderr).toContain(`${torn} is no JSON`);
});
