import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
  type Wishes,
} from './storm.ts';
import type { World } from './world.ts';

/** How much happens while workers are killed, and how fast. */
export interface Storm {
  readonly pace: { readonly scale: number; readonly handoverSeconds: number };
  readonly wishes: Wishes;
  readonly faults: { readonly everyMilliseconds: number; readonly most: number };
  /** A worker needs a second of a core until it can work; it lives twice as many seconds as there are workers. */
  readonly crew: number;
  readonly patienceSeconds: number;
  /** Of the reservations that were wished for, that share must stand in the end. */
  readonly standingShare: number;
}

const timeoutOf = ({ patienceSeconds }: Storm) => ({ timeout: 1000 * (patienceSeconds + 240) });

/**
 * Workers are killed with SIGKILL every other second while jobs and reservations run. The sites' own journals are the
 * witness.
 */
export function describeKills(backend: 'PostgreSQL' | 'Redis', storm: Storm): void {
  describe(`with queues on ${backend}`, () => killWorkers(backend, storm));
}

function killWorkers(backend: 'PostgreSQL' | 'Redis', storm: Storm): void {
  const here = test.skipIf(backend === 'Redis' && !hasRedis);
  let world: World;
  let redis: TestRedis | null = null;
  let crew: Crew | null = null;

  beforeAll(async () => {
    redis = backend === 'Redis' && hasRedis ? await startTestRedis() : null;
    world = await createStormyWorld({ ...storm.pace, ...(redis && { redisUrl: redis.url }) });
  });
  afterAll(async () => {
    crew?.dismiss();
    await world.close();
    await redis?.stop();
  });

  here('killed workers lose no native job and make none twice', timeoutOf(storm), async () => {
    const workers = new Crew(world, storm.crew);
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
    const { refusals } = await amid(kill, storm.faults, async () => {
      const asked = await askForWork(world, storm.wishes);
      await untilSettled(world, storm.patienceSeconds);
      return asked;
    });
    const what = redis ? `, Redis flushed ${faults.flushes} and restarted ${faults.restarts} times` : '';
    const died = `by which ${workers.died} other workers failed`;
    const outcome = await expectNothingLost(
      world,
      `${backend}: ${workers.kills} kills${what}, ${died}, refused ${refusals}`,
    );
    expect(workers.kills).toBeGreaterThan(0);
    expect(workers.died).toBe(0);
    expectPromisesToStand(outcome, storm);
  });
}

/** PostgreSQL is killed and workers stand still for longer than their lease. */
export function describeRestarts(storm: Storm): void {
  describe('when others fail than workers', () => restartPostgres(storm));
}

function restartPostgres(storm: Storm): void {
  let world: World;
  let crew: Crew | null = null;
  afterAll(async () => {
    crew?.dismiss();
    await world.close();
  });

  test('a restarted PostgreSQL and workers paused beyond their lease lose nothing', timeoutOf(storm), async () => {
    const postgres = await startOwnPostgres();
    world = await createStormyWorld({ ...storm.pace, stores: postgres.stores });
    const workers = new Crew(world, storm.crew);
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
    const { refusals, failed } = await amid(disturb, { ...storm.faults, most: storm.faults.most / 2 }, async () => {
      const asked = await askForWork(world, storm.wishes);
      await untilSettled(world, storm.patienceSeconds);
      return asked;
    });
    const stores = `PostgreSQL restarted ${faults.restarts} times, by which ${workers.died} workers and ${failed} calls failed`;
    const outcome = await expectNothingLost(world, `${stores}, ${faults.pauses} pauses, refused ${refusals}`);
    expect(workers.died).toBe(0);
    expectPromisesToStand(outcome, storm);
  });
}

/**
 * As many stand as were wished for; where the clock runs so fast that a dead worker costs quarters of an hour, half of
 * them.
 */
function expectPromisesToStand({ reservations, executions }: Outcome, { wishes, standingShare }: Storm): void {
  expect(reservations).toBeGreaterThanOrEqual(wishes.reservations * standingShare);
  expect(executions).toBeGreaterThanOrEqual(wishes.jobs);
}
