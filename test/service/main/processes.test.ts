import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/main/config.ts';
import { startServerProcess } from '../../../src/main/server.ts';
import { startWorkerProcess } from '../../../src/main/worker.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

let stores: TestDatabase;
beforeAll(async () => {
  stores = await createTestDatabase();
});
afterAll(() => stores.drop());

function configFor(databaseUrl: string) {
  return readConfig({ DATABASE_URL: databaseUrl, GRIDCAST_PORT: '0', GRIDCAST_LOG_LEVEL: 'silent' });
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
] as const)('the metrics of a process of kind %s', (_kind, start) => {
  const statusOf = async (url: string, headers: Record<string, string> = {}) =>
    (await fetch(new URL('/metrics', url), { headers })).status;

  test('are for this machine alone', async () => {
    const running = await start({ ...configFor(stores.url), GRIDCAST_HOST: '0.0.0.0' });
    try {
      const { port } = new URL(running.url);
      expect(await statusOf(`http://127.0.0.1:${port}`)).toBe(200);
      expect(await statusOf(`http://127.0.0.1:${port}`, { 'x-forwarded-for': '192.0.2.1' })).toBe(403);
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
