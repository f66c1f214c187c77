import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openWakeQueue, startWakeWorker } from '../../../src/flow/wake-queue.ts';
import { type Database, openDatabase } from '../../../src/store/database.ts';
import { isDatabaseAway, untilDatabaseIsThere } from '../../../src/store/database-away.ts';
import { listen } from '../../../src/store/events.ts';
import type { WakeUp } from '../../../src/store/outbox.ts';
import { createTestDatabase } from '../database.ts';
import { databaseBehindDoor } from '../database-behind-door.ts';
import type { DoorState } from '../postgres-door.ts';
import { surviveRestarts } from './postgres-restarts.ts';

describe.concurrent.each<DoorState>(['STARTING', 'DYING', 'CUT'])('a database that is %s', (state) => {
  const WAYS: Record<string, (database: Database) => Promise<unknown>> = {
    'a query': ({ db }) => db.$queryRaw`SELECT 1`,
    'a read': ({ db }) => db.site.count(),
    'a transaction': (database) => database.transaction((tx) => tx.site.count()),
  };

  test.for(Object.keys(WAYS))('fails %s with an error that says so, and is found again', async (way, context) => {
    const door = await databaseBehindDoor(context);
    const lost: Error[] = [];
    const database = openDatabase(door.url, 2, (error) => lost.push(error));
    context.onTestFinished(() => database.close());
    const ask = () => WAYS[way]?.(database) ?? Promise.reject(new Error(way));
    await ask();
    door.turn(state);
    const error: unknown = await ask().catch((error: unknown) => error);
    expect(isDatabaseAway(error), String(error)).toBe(true);
    await expect(untilDatabaseIsThere(ask, 500, () => undefined)).rejects.toThrow();
    const waiting = untilDatabaseIsThere(ask, 20_000, () => undefined);
    door.turn('OPEN');
    await waiting;
    if (state === 'DYING' && way === 'a transaction') expect(lost.map(({ message }) => message)).toContain(SHUTDOWN);
  });

  test('is waited for by the queue and by who takes wake-ups out of it, at the start and later, without haste', async (context) => {
    const door = await databaseBehindDoor(context);
    door.turn(state);
    const store = { databaseUrl: door.url, redisUrl: null };
    const handled: string[] = [];
    const faults: Error[] = [];
    const opening = openWakeQueue(store, (error) => faults.push(error));
    const starting = startWakeWorker(
      store,
      { sites: 4, work: 4 },
      async ({ targetId }) => {
        handled.push(targetId);
        return 'DONE';
      },
      (error) => faults.push(error),
    );
    await sleep(1500);
    door.turn('OPEN');
    const queue = await opening;
    context.onTestFinished(() => queue.close());
    const worker = await starting;
    context.onTestFinished(() => worker.close());
    await queue.add([due('first')]);
    await until(() => handled.includes('first'));

    door.turn(state);
    const before = door.arrivals;
    await sleep(4000);
    const arrivals = door.arrivals - before;
    door.turn('OPEN');
    await untilDatabaseIsThere(
      () => queue.add([due('second')]),
      20_000,
      () => undefined,
    );
    await until(() => handled.includes('second'));
    expect(faults.filter((error) => !isDatabaseAway(error)).map(String)).toEqual([]);
    // One queue and one worker for sites, and one of each for jobs; without pauses it would be thousands.
    expect(arrivals).toBeLessThan(2 * 60);
  });

  test('is waited for by who listens, at the start and later', async (context) => {
    const door = await databaseBehindDoor(context);
    door.turn(state);
    let heard = 0;
    let reconnections = 0;
    const faults: Error[] = [];
    const listener = await listen(
      door.url,
      'news',
      () => heard++,
      (error) => faults.push(error),
      () => reconnections++,
    );
    context.onTestFinished(() => listener.close());
    for (const round of [1, 2]) {
      await until(() => faults.length > 0);
      door.turn('OPEN');
      await until(() => reconnections === round);
      const database = openDatabase(door.url, 1);
      await database.db.$executeRaw`SELECT pg_notify('news', '')`;
      await until(() => heard === round);
      await database.close();
      expect({ heard, reconnections, awayOnly: faults.every(isDatabaseAway) }).toEqual({
        heard: round,
        reconnections: round,
        awayOnly: true,
      });
      faults.length = 0;
      door.turn(state);
    }
  });
});

test('what waiting does not mend is not waited for', async (context) => {
  const stores = await createTestDatabase();
  context.onTestFinished(() => stores.drop());
  const elsewhere = new URL(stores.url);
  elsewhere.pathname = '/no_such_database';
  const database = openDatabase(elsewhere.href, 1);
  context.onTestFinished(() => database.close());
  const away: Error[] = [];
  const waiting = untilDatabaseIsThere(
    () => database.db.$queryRaw`SELECT 1`,
    20_000,
    (error) => away.push(error),
  );
  await expect(waiting).rejects.toThrow('does not exist');
  expect(away).toEqual([]);
});

test.concurrent.for<[string, (worker: ChildProcess) => void]>([
  ['its parent is gone', (worker) => worker.disconnect()],
  ['it is told to', (worker) => worker.kill('SIGTERM')],
])('a worker that waits for its database ends when %s', async ([, stop], context) => {
  const script = "import('./dist/src/main/worker.js').then((module) => module.runWorker())";
  const worker = spawn(process.execPath, ['--eval', script], {
    env: { ...process.env, DATABASE_URL: 'postgresql://nobody:nothing@127.0.0.1:1/nowhere' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  context.onTestFinished(async () => {
    worker.kill('SIGKILL');
  });
  const gone = once(worker, 'exit');
  let words = '';
  worker.stderr?.on('data', (chunk) => {
    words += chunk;
  });
  await until(() => words.includes('waiting for the database'));
  stop(worker);
  expect(await gone).toEqual([0, null]);
});

test(
  'no worker dies of a PostgreSQL that crashes or shuts down, and one that starts meanwhile waits',
  {
    timeout: 120_000,
  },
  () => surviveRestarts(2),
);

const SHUTDOWN = 'terminating connection due to administrator command';

function due(targetId: string) {
  const wakeUp: WakeUp = { kind: 'EXECUTION', targetId, wakeAt: 1000, requestId: null };
  return { wakeUp, delayMilliseconds: 0, swept: null };
}

async function until(condition: () => boolean): Promise<void> {
  for (let waited = 0; !condition(); waited += 20) {
    if (waited > 20_000) throw new Error('it did not happen within 20 s');
    await sleep(20);
  }
}
