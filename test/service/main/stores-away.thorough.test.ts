import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { databaseBehindDoor } from '../database-behind-door.ts';
import { hasRedis } from '../redis.ts';
import { freshDatabase, freshRedis, PATIENCE, wakeSomebody } from './fresh-stores.ts';
import { spawnWorker } from './spawned-worker.ts';

describe.skipIf(!hasRedis)('a worker whose queues are in Redis', () => {
  test('tells nobody the password that was refused', async (context) => {
    const [stores, redis] = await Promise.all([freshDatabase(context), freshRedis(context)]);
    const address = new URL(redis.url);
    address.password = 'brandNEWpw789';
    const worker = spawnWorker(context, { DATABASE_URL: stores.url, REDIS_URL: address.href });
    expect(await worker.ended()).toBe(1);
    expect(worker.said).toContain('REDIS_URL: WRONGPASS');
    expect(worker.said).not.toContain('brandNEWpw789');
  });

  test('waits at its start for one that is away, and says so once; later, too', async (context) => {
    const [stores, redis] = await Promise.all([freshDatabase(context), freshRedis(context)]);
    await redis.crash();
    const worker = spawnWorker(context, { DATABASE_URL: stores.url, REDIS_URL: redis.url });
    const waiting = 'waiting for the queue store: the queue store is away';
    await worker.untilLogged(waiting);
    await sleep(3000);
    expect(worker.lines.map(({ msg }) => msg)).toEqual([waiting]);
    await redis.startAgain();
    await worker.untilLogged('worker ready');
    await worker.untilLogged('the queue store answers again');
    await redis.crash();
    await worker.untilLogged('queue: the queue store is away');
    await redis.startAgain();
    await redis.configure('maxmemory', '1mb');
    await wakeSomebody(stores);
    await worker.untilLogged(': the queue store refuses');
    await sleep(5000);
    expect(worker.lines.length).toBeLessThan(12);
    const backs = () => worker.lines.filter(({ msg }) => msg === 'the queue store answers again').length;
    const before = backs();
    await redis.configure('maxmemory', '0');
    await vi.waitFor(() => expect(backs()).toBe(before + 1), PATIENCE);
    expect(worker.said).not.toMatch(new RegExp(`${new URL(redis.url).password}|"args"|"stack"`));
  });
});

describe('a worker whose queues are in PostgreSQL', () => {
  test('logs little while it is only read, and that it is back', async (context) => {
    const stores = await freshDatabase(context);
    const { db } = stores.database;
    const name = new URL(stores.url).pathname.slice(1);
    const setReadOnly = async (value: 'on' | 'off') => {
      await stores.database.transaction(async (tx) => {
        await tx.$executeRaw`SET TRANSACTION READ WRITE`;
        await tx.$executeRawUnsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
      });
      await db.$executeRaw`SELECT pg_terminate_backend("pid") FROM pg_stat_activity
        WHERE "datname" = current_database() AND "pid" <> pg_backend_pid()`;
    };
    const worker = spawnWorker(context, { DATABASE_URL: stores.url, REDIS_URL: '' });
    await worker.untilLogged('worker ready');
    await wakeSomebody(stores);
    await setReadOnly('on');
    await sleep(8000);
    const { length } = worker.said;
    await sleep(5000);
    expect(worker.said.length - length).toBeLessThan(1000);
    expect(worker.lines.filter(({ level }) => level > 40)).toEqual([]);
    await setReadOnly('off');
    await worker.untilLogged('the database answers again');
    expect(worker.said).not.toContain('"stack"');
  });

  test('says in its last line why it gives itself up', async (context) => {
    const door = await databaseBehindDoor(context);
    const worker = spawnWorker(context, {
      DATABASE_URL: door.url,
      REDIS_URL: '',
      GRIDCAST_STEP_MILLISECONDS: '100',
      GRIDCAST_LEASE_MILLISECONDS: '2000',
    });
    await worker.untilLogged('worker ready');
    door.turn('CUT');
    await worker.untilLogged('the database is away');
    door.turn('SILENT');
    expect(await worker.ended()).toBe(1);
    expect(worker.lines.at(-1)).toMatchObject({
      level: 60,
      msg: 'nothing moves any more: the worker ends, to be started again',
      lastFault: { store: 'database' },
    });
    expect(worker.lines.at(-1)?.stillSeconds).toBeGreaterThanOrEqual(2);
  });
});
