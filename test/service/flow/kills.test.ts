import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { thorough } from '../../thorough.ts';
import { startOwnPostgres } from '../own-postgres.ts';
import { hasRedis, startTestRedis, type TestRedis } from '../redis.ts';
import {
  amid,
  askForWork,
  Crew,
  createStormyWorld,
  expectNothingLost,
  type Outcome,
  untilObserved,
  untilSettled,
} from './storm.ts';
import type { World } from './world.ts';

/** Where there is time at a pace at which even a busy machine's workers come to something between two kills. */
const [PACE, WISHES] = thorough
  ? [
      { scale: 8, handoverSeconds: 600 },
      {
        jobs: 100,
        reservations: 200,
        everyMilliseconds: 0,
        leadSeconds: 1500,
        spreadSeconds: 300,
        longestSeconds: 240,
      },
    ]
  : [
      { scale: 300, handoverSeconds: 900 },
      {
        jobs: 40,
        reservations: 30,
        everyMilliseconds: 400,
        leadSeconds: 5400,
        spreadSeconds: 2400,
        longestSeconds: 1260,
      },
    ];
/**
 * Where there is time the faults go on until the last reservation is settled, or for eight minutes where no worker
 * comes up meanwhile.
 */
const FAULTS = { everyMilliseconds: 2000, most: thorough ? 240 : 10 };
/** A worker needs a second of a core until it can work; it lives twice as many seconds as there are workers. */
const CREW = thorough ? 8 : 2;
const PATIENCE_SECONDS = thorough ? 1200 : 200;
const TIMEOUT = 1000 * (PATIENCE_SECONDS + 240);

/**
 * Workers are killed with SIGKILL every other second while jobs and reservations run. The sites' own journals are the
 * witness.
 */
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
    const workers = new Crew(world, CREW);
    crew = workers;
    await untilObserved(world);
    const faults = { flushes: 0, restarts: 0 };
    const kill = async (turn: number) => {
      await workers.kill(turn);
      if (redis && turn % 5 === 2) {
        await redis.flush();
        faults.flushes++;
      }
      if (redis && turn % 5 === 4) {
        await redis.crashAndRestart();
        faults.restarts++;
      }
    };
    const { refusals } = await amid(kill, FAULTS, async () => {
      const asked = await askForWork(world, WISHES);
      await untilSettled(world, PATIENCE_SECONDS);
      return asked;
    });
    const what = redis ? `, Redis flushed ${faults.flushes} and restarted ${faults.restarts} times` : '';
    const died = `by which ${workers.died} other workers failed`;
    const outcome = await expectNothingLost(
      world,
      `${backend}: ${workers.kills} kills${what}, ${died}, refused ${refusals}`,
    );
    expect(workers.died).toBe(0);
    expectPromisesToStand(outcome);
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
    const workers = new Crew(world, CREW);
    crew = workers;
    await untilObserved(world);
    const faults = { pauses: 0, restarts: 0 };
    const disturb = async (turn: number) => {
      await workers.pause(turn);
      faults.pauses++;
      if (turn % 2 === 0) return;
      await postgres.crashAndRestart();
      faults.restarts++;
    };
    const { refusals, failed } = await amid(disturb, { ...FAULTS, most: FAULTS.most / 2 }, async () => {
      const asked = await askForWork(world, WISHES);
      await untilSettled(world, PATIENCE_SECONDS);
      return asked;
    });
    const stores = `PostgreSQL restarted ${faults.restarts} times, by which ${workers.died} workers and ${failed} calls failed`;
    const outcome = await expectNothingLost(world, `${stores}, ${faults.pauses} pauses, refused ${refusals}`);
    expect(workers.died).toBe(0);
    expectPromisesToStand(outcome);
  });
});

/**
 * As many stand as were wished for; where the clock runs so fast that a dead worker costs quarters of an hour, half of
 * them.
 */
function expectPromisesToStand({ reservations, executions }: Outcome): void {
  expect(reservations).toBeGreaterThanOrEqual(thorough ? WISHES.reservations : WISHES.reservations / 2);
  expect(executions).toBeGreaterThanOrEqual(WISHES.jobs);
}
