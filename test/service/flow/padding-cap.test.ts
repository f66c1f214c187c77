import { afterEach, expect, test } from 'vitest';
import { reserve } from '../../../src/commands/reserve.ts';
import { Unavailable } from '../../../src/domain/failures.ts';
import type { FlowContext } from '../../../src/flow/context.ts';
import { recomputeHeld } from '../../../src/flow/recompute.ts';
import { executionOf, promiseOf } from './rows.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { createIdleWorld, wish } from './usual-work.ts';

let world: SteppedWorld;
afterEach(() => world.close());

/** Three times the own work. */
const CAP = 3 * 4 * 1800;
const ANY_TIME = Number.POSITIVE_INFINITY;

async function ask(name: string, siteIds: readonly string[] = []): Promise<string> {
  const terms = { ...wish(world.clock, name, siteIds), maxExpectedPaddingProcessorSeconds: CAP };
  await reserve(world.commands, world.principal, terms);
  return (await world.database.db.execution.findFirstOrThrow({ where: { name } })).id;
}

test('a promise is looked at again within the cap that it was made under', async () => {
  world = await createIdleWorld(61, 'east');
  const { clock } = world;
  const { db } = world.database;
  const id = await ask('held');
  expect(await db.reservation.findFirstOrThrow()).toMatchObject({ maxExpectedPaddingProcessorSeconds: CAP });
  await world.until('it waits', async () => {
    const { submitAt, wakeAt } = await db.execution.findUniqueOrThrow({ where: { id } });
    return submitAt !== null && submitAt.getTime() === wakeAt?.getTime();
  });
  const asked: (number | null | undefined)[] = [];
  const putOff: number[] = [];
  const worker = world.worker();
  const replanReservations: FlowContext['forecaster']['replanReservations'] = async (siteId, held) => {
    asked.push(...held.map(({ maxExpectedPaddingProcessorSeconds }) => maxExpectedPaddingProcessorSeconds));
    putOff.push(...held.map(({ latestSubmitAt, submitAt }) => latestSubmitAt - submitAt));
    return worker.forecaster.replanReservations(siteId, held);
  };
  const listening = { ...worker, forecaster: { ...worker.forecaster, replanReservations } };
  const replan = async (change: object) => {
    await db.reservation.updateMany({ data: change });
    clock.advanceTo(clock.now() + world.settings.recomputeIntervalSeconds + 1);
    expect(await recomputeHeld(listening, 10)).toBe(1);
  };
  await replan({});
  // What was paid for processors that were given back is spent.
  await replan({ releasedProcessorSeconds: 5000 });
  await replan({ probability: 0.99 });
  await replan({ maxExpectedPaddingProcessorSeconds: null });
  expect(asked).toEqual([CAP, CAP - 5000, CAP - 5000, null]);
  expect(putOff, 'only one that is as sure as can be is not put off').toEqual([ANY_TIME, ANY_TIME, 0, ANY_TIME]);
});

test('a promise that moves asks the other site within the same cap', async () => {
  world = await createIdleWorld(61, 'east', 'west');
  const id = await ask('movable');
  const first = (await executionOf(world, id))?.siteId;
  const name = [...world.siteIds].find(([, siteId]) => siteId === first)?.[0];
  const asked: (number | null | undefined)[] = [];
  const worker = world.worker({
    adapter: (adapter, site) => ({
      ...adapter,
      async snapshot() {
        if (site === name) throw new Unavailable(`${site} does not answer`, 'connection refused');
        return adapter.snapshot();
      },
    }),
  });
  const offerReservation: FlowContext['forecaster']['offerReservation'] = async (siteId, question) => {
    asked.push(question.maxExpectedPaddingProcessorSeconds);
    return worker.forecaster.offerReservation(siteId, question);
  };
  const listening = { ...worker, forecaster: { ...worker.forecaster, offerReservation } };
  await world.until('it has moved', async () => (await executionOf(world, id))?.siteId !== first, listening);
  expect(asked.length).toBeGreaterThan(0);
  expect(new Set(asked)).toEqual(new Set([CAP]));
  expect((await promiseOf(world, id))?.state).toBe('PROMISED');
});
