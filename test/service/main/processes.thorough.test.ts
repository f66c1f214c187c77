import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/main/config.ts';
import type { RunningProcess } from '../../../src/main/process.ts';
import { startServerProcess } from '../../../src/main/server.ts';
import { startWorkerProcess } from '../../../src/main/worker.ts';
import { ensurePrincipal, ensureTenant } from '../../../src/store/principals.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { issueToken } from '../issue-token.ts';
import { buildPostgresDoor, type PostgresDoor } from '../postgres-door.ts';

let stores: TestDatabase;
beforeAll(async () => {
  stores = await createTestDatabase();
});
afterAll(() => stores.drop());

function configFor(databaseUrl: string, more: Readonly<Record<string, string>> = {}) {
  return readConfig({ DATABASE_URL: databaseUrl, GRIDCAST_PORT: '0', GRIDCAST_LOG_LEVEL: 'silent', ...more });
}

type Start = typeof startWorkerProcess | typeof startServerProcess;

/** Runs a process whose database can be made to hang, and ends it with the database back. */
async function behindDoor(
  start: Start,
  configOf: (databaseUrl: string) => ReturnType<typeof readConfig>,
  work: (running: RunningProcess, door: PostgresDoor) => Promise<void>,
): Promise<void> {
  const door = await buildPostgresDoor(stores.url);
  const running = await start(configOf(door.url));
  try {
    await work(running, door);
  } finally {
    door.turn('OPEN');
    await running.close();
    await door.close();
  }
}

/** An answer must come; how soon depends on the machine. */
async function statusOf({ url }: RunningProcess, path: string): Promise<number> {
  return (await fetch(new URL(path, url), { signal: AbortSignal.timeout(30_000) })).status;
}

async function becomes(running: RunningProcess, path: string, status: number): Promise<void> {
  await expect.poll(() => statusOf(running, path), { timeout: 60_000, interval: 50 }).toBe(status);
}

describe.each([
  ['API', startServerProcess],
  ['worker', startWorkerProcess],
] as const)('a process of kind %s', (_kind, start) => {
  test('answers orchestrators, and Prometheus', async () => {
    const running = await start(configFor(stores.url));
    const ask = async (path: string) => {
      const response = await fetch(new URL(path, running.url));
      return { status: response.status, text: await response.text() };
    };
    try {
      expect(await ask('/healthz')).toEqual({ status: 200, text: 'ok' });
      expect(await ask('/readyz')).toEqual({ status: 200, text: 'ready' });
      const metrics = await ask('/metrics');
      expect(metrics.status).toBe(200);
      expect(metrics.text).toMatch(/nodejs_eventloop_lag_p99_seconds \S+/);
      expect(metrics.text).toMatch(/# TYPE gridcast_step_seconds histogram/);
      expect((await ask('/nothing')).status).toBe(404);
    } finally {
      await running.close();
    }
    await expect(fetch(new URL('/healthz', running.url))).rejects.toThrow();
  });
});

describe.each([
  ['API', startServerProcess],
  ['worker', startWorkerProcess],
] as const)('a process of kind %s before a database that hangs', (_kind, start) => {
  test('says in time that it is not ready, and is again when the database is', async () => {
    await behindDoor(start, configFor, async (running, door) => {
      await becomes(running, '/readyz', 200);
      door.turn('SILENT');
      expect(await statusOf(running, '/readyz')).toBe(503);
      expect(await statusOf(running, '/healthz')).toBe(200);
      door.turn('OPEN');
      await becomes(running, '/readyz', 200);
    });
  });
});

test.each(['CUT', 'STARTING'] as const)('an API whose database is %s asks its callers to come again', async (away) => {
  const { db } = stores.database;
  const tenantId = await ensureTenant(db, 'callers', 0);
  const principalId = await ensurePrincipal(db, tenantId, away, 'GATEWAY');
  const token = await issueToken(db, principalId, Date.now() / 1000, null);
  await behindDoor(startServerProcess, configFor, async (running, door) => {
    const ask = async () => {
      const response = await fetch(new URL('/graphql', running.url), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ jobs { totalCount } }' }),
      });
      return { status: response.status, answer: (await response.json()) as { data?: unknown; errors?: unknown[] } };
    };
    expect((await ask()).answer).toEqual({ data: { jobs: { totalCount: 0 } } });
    door.turn(away);
    // A token that was known a moment ago may still be.
    await expect.poll(async () => (await ask()).answer.errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE' } }]);
    await expect.poll(async () => (await ask()).status).toBe(503);
    const metrics = await fetch(new URL('/metrics', running.url));
    expect(await metrics.text()).toMatch(/nodejs_eventloop_lag_p99_seconds \S+/);
    door.turn('OPEN');
    await expect.poll(async () => (await ask()).status).toBe(200);
  });
});

test('a worker in which nothing moves says that it had better be started again, as long as that is so', async () => {
  const impatient = {
    GRIDCAST_STEP_MILLISECONDS: '100',
    GRIDCAST_LEASE_MILLISECONDS: '500',
    GRIDCAST_SWEEP_MILLISECONDS: '100',
  };
  await behindDoor(
    startWorkerProcess,
    (url) => configFor(url, impatient),
    async (running, door) => {
      await becomes(running, '/healthz', 200);
      door.turn('SILENT');
      await becomes(running, '/healthz', 503);
      door.turn('OPEN');
      await becomes(running, '/healthz', 200);
    },
  );
});

describe.each([
  ['API', startServerProcess],
  ['worker', startWorkerProcess],
] as const)('the metrics of a process of kind %s', (_kind, start) => {
  const statusOf = async (url: string, headers: Record<string, string> = {}) =>
    (await fetch(new URL('/metrics', url), { headers })).status;

  const statusUnder = async (host: string, port: number) => {
    const asked = request({ host: '127.0.0.1', port, path: '/metrics', headers: { host } }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };

  test('are for this machine alone', async () => {
    const running = await start({ ...configFor(stores.url), GRIDCAST_HOST: '0.0.0.0' });
    try {
      const { port } = new URL(running.url);
      expect(await statusOf(`http://127.0.0.1:${port}`)).toBe(200);
      expect(await statusOf(`http://localhost:${port}`)).toBe(200);
      for (const name of ['x-forwarded-for', 'x-real-ip', 'via', 'cf-connecting-ip', 'true-client-ip', 'origin']) {
        expect(await statusOf(`http://127.0.0.1:${port}`, { [name]: '192.0.2.1' }), name).toBe(403);
      }
      expect(await statusUnder('evil.example', Number(port)), 'by a name that leads here').toBe(403);
      const addresses = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
      const outside = addresses.find(({ family, internal }) => family === 'IPv4' && !internal);
      if (outside) expect(await statusOf(`http://${outside.address}:${port}`)).toBe(403);
    } finally {
      await running.close();
    }
  });

  test('want the token for them where there is one', async () => {
    const token = 'a-token-for-metrics';
    const running = await start({ ...configFor(stores.url), GRIDCAST_METRICS_TOKEN: token });
    try {
      expect(await statusOf(running.url)).toBe(403);
      expect(await statusOf(running.url, { authorization: 'Bearer another-token-here' })).toBe(403);
      expect(await statusOf(running.url, { authorization: `Bearer ${token}` })).toBe(200);
    } finally {
      await running.close();
    }
  });
});

test('a process whose database is away lives but is not ready', async () => {
  const other = await createTestDatabase();
  const running = await startServerProcess(configFor(other.url));
  try {
    await other.drop();
    expect((await fetch(new URL('/healthz', running.url))).status).toBe(200);
    expect((await fetch(new URL('/readyz', running.url))).status).toBe(503);
  } finally {
    await running.close();
  }
});
