import { afterEach, describe, expect, test } from 'vitest';
import type { SimulatedSiteConfig } from '../../../adapters/simulator/config.ts';
import { reserve } from '../../../src/commands/reserve.ts';
import { Unavailable } from '../../../src/domain/failures.ts';
import { advance } from '../../../src/flow/advance.ts';
import type { FlowContext } from '../../../src/flow/context.ts';
import { findReservedExecution } from '../../../src/store/reservations.ts';
import { readSnapshot } from '../../../src/store/sites.ts';
import { Crash } from './faults.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';

/*
 * A site's snapshot is stored in one transaction, and the rows are told what it shows in others that come later. What
 * happens in between must not be taken for silence of the site.
 */

let world: SteppedWorld | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

/**
 * A reservation on an idle site that is submitted in time, at which moment the site stops answering one of its workers.
 */
async function submitUnseen(runSeconds: number, outages: SimulatedSiteConfig['outages'] = []) {
  const workload = { generated: { seed: 1, load: 0.02 } };
  const here = await createSteppedWorld({
    seed: 1,
    accountingLagSeconds: 120,
    sites: [{ name: 'east', processors: 64, policy: 'easy', workload, warmDays: 6, outages }],
  });
  world = here;
  const { commands, principal, clock, database } = here;
  const startAt = Math.round(clock.now() + 3600);
  await reserve(commands, principal, {
    ...{ name: 'promised', script: `#!/bin/sh\nsleep ${runSeconds}\n`, arguments: [], processors: 4 },
    ...{ walltimeSeconds: 1800, queue: null, siteIds: [], idempotencyKey: null, maxPaddingProcessorSeconds: null },
    ...{ startAt, windowOpensAt: null, mode: 'HOLD', probability: 0.5, ifMissed: 'CANCEL' },
  });
  const { id: executionId } = await database.db.execution.findFirstOrThrow();
  const read = async () => {
    const found = await findReservedExecution(database.db, executionId);
    if (!found?.reservation) throw new Error('the reservation is gone');
    return { ...found.execution, promise: found.reservation.state };
  };
  let isBlind = false;
  const blindWorker = here.worker({
    adapter: (adapter) => ({
      ...adapter,
      async snapshot() {
        if (isBlind) throw new Unavailable('the controller does not answer');
        return adapter.snapshot();
      },
    }),
  });
  const becomeBlind = async () => {
    isBlind = (await read()).nativeId !== null;
    return isBlind;
  };
  await here.until('it is submitted', becomeBlind, blindWorker);
  expect(await read()).toMatchObject({ state: 'QUEUED', startedAt: null, promise: 'SUBMITTED' });
  return { here, startAt, executionId, read, blindWorker };
}

/** A worker for whom something happens right after its observation has stored a snapshot from after that moment. */
function withEventAfterSnapshot(
  here: SteppedWorld,
  siteId: string,
  moment: number,
  event: () => Promise<void>,
): FlowContext {
  let isOver = false;
  return here.worker({
    database: (database) => ({
      ...database,
      async transaction(work, timeout) {
        const done = await database.transaction(work, timeout);
        const snapshot = isOver ? null : await readSnapshot(database.db, siteId);
        if (snapshot && snapshot.observedAt >= moment) {
          isOver = true;
          await event();
        }
        return done;
      },
    }),
  });
}

describe('a promise whose job runs, while its row has not been told', () => {
  test('is not missed when it is decided between the snapshot and the row', async () => {
    const { here, startAt, executionId, read, blindWorker } = await submitUnseen(600);
    await here.until('its moment comes', async () => here.clock.now() >= startAt, blindWorker);
    const siteId = here.siteIds.get('east') ?? '';
    let looks = 0;
    const observer = withEventAfterSnapshot(here, siteId, startAt, async () => {
      looks++;
      const shown = await readSnapshot(here.database.db, siteId);
      expect(shown?.running.some(({ key }) => key !== null)).toBe(true);
      expect(await read()).toMatchObject({ state: 'QUEUED', startedAt: null, promise: 'SUBMITTED' });
      await advance(here.worker(), { kind: 'EXECUTION', targetId: executionId, wakeAt: startAt, requestId: null });
      expect(await read()).toMatchObject({ state: 'QUEUED', promise: 'SUBMITTED', cancelRequestedAt: null });
    });
    await here.until('it is settled', async () => (await read()).settledAt !== null, observer);
    expect(looks).toBe(1);
    expect(await read()).toMatchObject({ promise: 'KEPT', outcome: 'COMPLETED' });
  });

  test('is not missed when the observer dies between the snapshot and the row', async () => {
    const { here, startAt, executionId, read, blindWorker } = await submitUnseen(600);
    await here.until('its moment comes', async () => here.clock.now() >= startAt, blindWorker);
    let deaths = 0;
    const mortal = withEventAfterSnapshot(here, here.siteIds.get('east') ?? '', startAt, async () => {
      deaths++;
      throw new Crash('after the snapshot');
    });
    const bury = async (error: unknown) => {
      if (!(error instanceof Crash)) throw error;
      await advance(here.worker(), { kind: 'EXECUTION', targetId: executionId, wakeAt: startAt, requestId: null });
      expect(await read()).toMatchObject({ state: 'QUEUED', promise: 'SUBMITTED', cancelRequestedAt: null });
      await here.expireLeases();
    };
    for (let steps = 0; deaths === 0 && steps < 100; steps++) await here.step(() => mortal, bury);
    expect(deaths).toBe(1);
    await here.until('it is settled', async () => (await read()).settledAt !== null);
    expect(await read()).toMatchObject({ promise: 'KEPT', outcome: 'COMPLETED' });
  });
});

test('a promise whose job ran and ended between two looks is not missed while accounting lags', async () => {
  const { here, startAt, executionId, read, blindWorker } = await submitUnseen(10);
  await here.until('its run is over', async () => here.clock.now() >= startAt + 30, blindWorker);
  let looks = 0;
  await here.until('it is settled', async () => {
    const { settledAt, promise, endedAt } = await read();
    const site = await here.database.db.site.findFirstOrThrow();
    if (endedAt === null && (site.observedAt?.getTime() ?? 0) / 1000 > startAt) {
      looks++;
      await advance(here.worker(), { kind: 'EXECUTION', targetId: executionId, wakeAt: startAt, requestId: null });
      expect(promise).toBe('SUBMITTED');
    }
    return settledAt !== null;
  });
  expect(looks).toBeGreaterThan(0);
  expect(await read()).toMatchObject({ promise: 'KEPT', outcome: 'COMPLETED' });
});

test('a promise whose job is seen waiting after its moment is missed', async () => {
  const { here, read } = await submitUnseen(600, [{ kind: 'drain', afterSeconds: 600 }]);
  await here.until('it is settled', async () => (await read()).settledAt !== null);
  expect(await read()).toMatchObject({ promise: 'MISSED', outcome: 'CANCELLED', startedAt: null });
});
