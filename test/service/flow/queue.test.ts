import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { QueueStore } from '../../../src/flow/queue-store.ts';
import { openWakeQueue, startWakeWorker, type WakeQueue, type WakeWorker } from '../../../src/flow/wake-queue.ts';
import type { WakeUp } from '../../../src/store/outbox.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { hasRedis, startTestRedis, type TestRedis } from '../redis.ts';

let database: TestDatabase;
let redis: TestRedis | null = null;
beforeAll(async () => {
  database = await createTestDatabase();
  redis = hasRedis ? await startTestRedis() : null;
});
afterAll(async () => {
  await redis?.stop();
  await database.drop();
});

describe.each(['PostgreSQL', 'Redis'])('wake-ups on %s', (backend) => {
  const open: (WakeQueue | WakeWorker)[] = [];
  const here = test.skipIf(backend === 'Redis' && !hasRedis);
  const store = (): QueueStore => ({
    databaseUrl: database.url,
    redisUrl: backend === 'Redis' ? (redis?.url ?? null) : null,
  });

  async function queue(): Promise<WakeQueue> {
    const opened = await openWakeQueue(store(), fail);
    open.push(opened);
    return opened;
  }

  async function worker(handle: (wakeUp: WakeUp) => Promise<'DONE' | { againInMilliseconds: number }>): Promise<void> {
    open.push(await startWakeWorker(store(), { sites: 4, work: 4 }, handle, () => undefined));
  }

  afterEach(async () => {
    for (const opened of open.splice(0)) await opened.close();
    await (await queue()).obliterate();
    for (const opened of open.splice(0)) await opened.close();
  });

  here('that are lost while they are in hand are told as lost', async () => {
    const faults: Error[] = [];
    let isInHand = false;
    let letGo = (): void => undefined;
    const handle = () =>
      new Promise<'DONE'>((done) => {
        isInHand = true;
        letGo = () => done('DONE');
      });
    open.push(await startWakeWorker(store(), { sites: 4, work: 4 }, handle, (error) => faults.push(error)));
    const wakes = await queue();
    await wakes.add([{ wakeUp: wakeUp('lost'), delayMilliseconds: 0, swept: null }]);
    await until(() => isInHand);
    await wakes.obliterate();
    letGo();
    await until(() => faults.length > 0);
    expect(new Set(faults.map(({ name }) => name))).toEqual(new Set(['LostWakeUp']));
  });

  here('are carried out once, those that are due before those that are not', async () => {
    const handled: string[] = [];
    await worker(async ({ targetId }) => {
      handled.push(targetId);
      return 'DONE';
    });
    const wakes = await queue();
    await wakes.add([
      { wakeUp: wakeUp('later'), delayMilliseconds: 400, swept: null },
      { wakeUp: wakeUp('now'), delayMilliseconds: 0, swept: null },
      { wakeUp: wakeUp('now'), delayMilliseconds: 0, swept: null },
    ]);
    await wakes.add([{ wakeUp: wakeUp('later'), delayMilliseconds: 400, swept: null }]);
    // What was in the queue twice has come twice by the time that the last one comes.
    await wakes.add([{ wakeUp: wakeUp('last'), delayMilliseconds: 700, swept: null }]);
    await until(() => handled.includes('last'));
    expect(handled).toEqual(['now', 'later', 'last']);
    await untilEmpty(wakes);
  });

  here('come again when somebody else had the turn', async () => {
    let tries = 0;
    await worker(async () => (++tries < 3 ? { againInMilliseconds: 30 } : 'DONE'));
    await (await queue()).add([{ wakeUp: wakeUp('busy'), delayMilliseconds: 0, swept: null }]);
    await until(() => tries === 3);
    await untilEmpty(await queue());
    expect(tries).toBe(3);
  });

  here('come again after a fault, three times in all, and then leave it to the sweeper', async () => {
    let tries = 0;
    await worker(async () => {
      tries++;
      throw new Error('the database is away');
    });
    const wakes = await queue();
    await wakes.add([{ wakeUp: wakeUp('faulty'), delayMilliseconds: 0, swept: null }]);
    await until(() => tries === 3);
    await untilEmpty(wakes);
    expect(tries).toBe(3);
    await wakes.add([{ wakeUp: wakeUp('faulty'), delayMilliseconds: 0, swept: { version: 7, by: 1 } }]);
    await until(() => tries > 3);
  });

  here('are shared by several workers', async () => {
    const byWorker = [0, 0];
    for (const index of [0, 1]) {
      await worker(async () => {
        byWorker[index] = (byWorker[index] ?? 0) + 1;
        await sleep(20);
        return 'DONE';
      });
    }
    const wakeUps = Array.from({ length: 60 }, (_, n) => ({
      wakeUp: wakeUp(`job-${n}`),
      // What is due at once comes by few jobs.
      delayMilliseconds: 1,
      swept: null,
    }));
    await (await queue()).add(wakeUps);
    await until(() => (byWorker[0] ?? 0) + (byWorker[1] ?? 0) === 60);
    expect(Math.min(...byWorker)).toBeGreaterThan(0);
  });
});

function wakeUp(targetId: string): WakeUp {
  return { kind: 'EXECUTION', targetId, wakeAt: 1000, requestId: null };
}

function fail(error: Error): never {
  throw error;
}

async function untilEmpty(wakes: WakeQueue): Promise<void> {
  for (let tries = 0; (await wakes.size()) > 0; tries++) {
    if (tries > 1000) throw new Error('the queue was not empty within 20 s');
    await sleep(20);
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (let waited = 0; !condition(); waited += 20) {
    if (waited > 20_000) throw new Error('it did not happen within 20 s');
    await sleep(20);
  }
}
