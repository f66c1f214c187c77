import { expect, test, vi } from 'vitest';
import { migrate } from '../../../src/main/administration.ts';
import { CannotStart } from '../../../src/main/cannot-start.ts';
import { readConfig } from '../../../src/main/config.ts';
import type { RunningProcess } from '../../../src/main/process.ts';
import { startWorkerProcess } from '../../../src/main/worker.ts';
import type { TestDatabase } from '../database.ts';
import { hasRedis } from '../redis.ts';
import { freshDatabase, freshRedis, PATIENCE, wakeSomebody } from './fresh-stores.ts';

function configOf(stores: TestDatabase, redisUrl = '') {
  return readConfig({ DATABASE_URL: stores.url, REDIS_URL: redisUrl, GRIDCAST_LOG_LEVEL: 'silent' });
}

async function becomes({ url }: RunningProcess, answer: string): Promise<void> {
  await vi.waitFor(async () => {
    const response = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(30_000) });
    expect(`${response.status} ${await response.text()}`).toBe(answer);
  }, PATIENCE);
}

async function startFailure(config: ReturnType<typeof configOf>): Promise<CannotStart> {
  const error: unknown = await startWorkerProcess(config).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(CannotStart);
  return error as CannotStart;
}

test.skipIf(!hasRedis)('a worker says that it is not ready while Redis is gone, or takes nothing', async (context) => {
  const [stores, redis] = await Promise.all([freshDatabase(context), freshRedis(context)]);
  const running = await startWorkerProcess(configOf(stores, redis.url));
  context.onTestFinished(() => running.close());
  await becomes(running, '200 ready');
  await redis.crash();
  await becomes(running, '503 not ready: queue store');
  await redis.startAgain();
  await becomes(running, '200 ready');
  await redis.configure('maxmemory', '1mb');
  await becomes(running, '503 not ready: queue store');
  await redis.configure('maxmemory', '0');
  await becomes(running, '200 ready');
  await redis.configure('maxmemory', '1mb');
  await wakeSomebody(stores);
  await becomes(running, '503 not ready: queue store');
  await redis.configure('maxmemory', '0');
  await becomes(running, '200 ready');
});

test.skipIf(!hasRedis)('a worker does not start where Redis does not let it in', async (context) => {
  const [stores, redis] = await Promise.all([freshDatabase(context), freshRedis(context)]);
  const address = new URL(redis.url);
  address.password = 'brandNEWpw789';
  const { message, remedy } = await startFailure(configOf(stores, address.href));
  expect(message).toMatch(/^REDIS_URL: WRONGPASS /);
  expect(remedy).toBe('check user and password in REDIS_URL');
  address.password = '';
  expect((await startFailure(configOf(stores, address.href))).message).toMatch(/^REDIS_URL: NOAUTH /);
  await redis.setUser('bob', 'on', '>brandNEWpw789', '~*', '&*', '+@all', '-info');
  address.username = 'bob';
  address.password = 'brandNEWpw789';
  const denied = await startFailure(configOf(stores, address.href));
  expect(denied.message).toMatch(/^REDIS_URL: NOPERM .*'info'/);
  expect(denied.remedy).toMatch(/let that user call it/);
});

test.skipIf(!hasRedis)('a worker does not start in a database of Redis that there is not', async (context) => {
  const [stores, redis] = await Promise.all([freshDatabase(context), freshRedis(context)]);
  const { message, remedy } = await startFailure(configOf(stores, `${redis.url}/99`));
  expect(message).toMatch(/^REDIS_URL: ERR DB index is out of range/);
  expect(remedy).toMatch(/number at the end of REDIS_URL/);
  const running = await startWorkerProcess(configOf(stores, `${redis.url}/3`));
  await running.close();
});

test('a worker says how to make the queues in PostgreSQL where there are none; who uses Redis has them, too', async (context) => {
  const stores = await freshDatabase(context);
  await stores.database.db.$executeRaw`DROP SCHEMA bullmq CASCADE`;
  expect(await startFailure(configOf(stores))).toMatchObject({
    message: 'the database lacks the tables of the queues',
    remedy: 'run `gridcast migrate`',
  });
  await migrate(configOf(stores, 'redis://127.0.0.1:1'), stores.url);
  const running = await startWorkerProcess(configOf(stores));
  await running.close();
});
