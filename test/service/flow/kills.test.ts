import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { thorough } from '../../thorough.ts';
import { startOwnPostgres } from '../own-postgres.ts';
import { hasRedis, startTestRedis, type TestRedis } from '../redis.ts';
import { askForWork, Crew, createStormyWorld, expectNothingLost, untilObserved } from './storm.ts';
import type { World } from './world.ts';

const KILL_SECONDS = 2;
const WISHES = thorough
  ? { jobs: 100, reservations: 200, everyMilliseconds: 300 }
  : { jobs: 40, reservations: 30, everyMilliseconds: 400 };
/** Slower where there is time, so that a worker comes to something between two kills. */
const PACE = thorough ? { scale: 100, handoverSeconds: 900 } : { scale: 300, handoverSeconds: 900 };
const KILLS = thorough ? 40 : 10;
const PATIENCE_SECONDS = thorough ? 900 : 200;
const TIMEOUT = 1000 * (PATIENCE_SECONDS + 240);

/** Workers are killed with SIGKILL every other second while jobs and reservations run. The sites' own journals are the witness. */
describe.each(['PostgreSQL', 'Redis'])('with queues on %s', (backend) => {
  const here = test.skipIf(backend === 'Redis' && !hasRedis);
  let world: World;
  let redis: TestRedis | null = null;
  let crew: Crew | null = null;

  beforeAll(async () => {
    redis = backend === 'Redis' && hasRedis ? await startTestRedis() : null;
    world = await createStormyWorld({ ...PACE, ...(redis && { redisUrl: redis.url }) });
  });
  afterAll(async () => {
    crew?.dismiss();
    await world.close();
    await redis?.stop();
  });

  here('killed workers lose no native job and make none twice', { timeout: TIMEOUT }, async () => {
    const workers = new Crew(world, 2);
    crew = workers;
    await untilObserved(world);
    const faults = { kills: 0, flushes: 0, restarts: 0 };
    const killing = (async () => {
      for (; faults.kills < KILLS; faults.kills++) {
        await sleep(1000 * KILL_SECONDS);
        await workers.kill(faults.kills);
        if (redis && faults.kills % 5 === 2) {
          await redis.flush();
          faults.flushes++;
        }
        if (redis && faults.kills % 5 === 4) {
          await redis.crashAndRestart();
          faults.restarts++;
        }
      }
    })();
    const { refusals } = await askForWork(world, WISHES);
    await killing;
    const what = redis ? `, Redis flushed ${faults.flushes} and restarted ${faults.restarts} times` : '';
    await expectNothingLost(world, `${backend}: ${faults.kills} kills${what}, refused ${refusals}`, PATIENCE_SECONDS);
  });
});

describe('when others fail than workers', () => {
  let world: World;
  let crew: Crew | null = null;
  afterAll(async () => {
    crew?.dismiss();
    await world.close();
  });

  test('a restarted PostgreSQL and workers paused beyond their lease lose nothing', { timeout: TIMEOUT }, async () => {
    const postgres = await startOwnPostgres();
    world = await createStormyWorld({ ...PACE, stores: postgres.stores });
    const workers = new Crew(world, 2);
    crew = workers;
    await untilObserved(world);
    const faults = { pauses: 0, restarts: 0 };
    const disturbing = (async () => {
      for (let n = 0; n < KILLS / 2; n++) {
        await sleep(1000 * KILL_SECONDS);
        await workers.pause(n);
        faults.pauses++;
        if (n % 2 === 0) continue;
        await postgres.crashAndRestart();
        faults.restarts++;
      }
    })();
    const { refusals, failed } = await askForWork(world, WISHES);
    await disturbing;
    const stores = `PostgreSQL restarted ${faults.restarts} times, by which ${workers.ended} workers and ${failed} calls failed`;
    const title = `${stores}, ${faults.pauses} pauses, refused ${refusals}`;
    await expectNothingLost(world, title, PATIENCE_SECONDS);
  });
});
