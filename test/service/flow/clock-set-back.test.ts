import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { ScaledClock } from '../../../src/domain/clock.ts';
import type { FlowContext } from '../../../src/flow/context.ts';
import { Pulse } from '../../../src/flow/pulse.ts';
import { startSweeper } from '../../../src/flow/sweeper.ts';
import type { WakeQueue } from '../../../src/flow/wake-queue.ts';
import { toDate } from '../../../src/store/moments.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { newSite } from '../new-site.ts';

const NOW = 1_700_000_000;
const HOUR_SECONDS = 3600;

/** A sweeper over a site that sleeps until a moment, by a clock that the test sets. */
async function sweeping(stores: TestDatabase, clockAt: number, wakeAt: number) {
  const { db } = stores.database;
  const id = await newSite(db);
  await db.site.update({ where: { id }, data: { wakeAt: toDate(wakeAt) } });
  const wall = { milliseconds: clockAt * 1000 };
  const anchor = { wallMilliseconds: 0, at: 0, scale: 1 };
  const clock = new ScaledClock(anchor, { readMilliseconds: () => wall.milliseconds, sleep: async () => undefined });
  const settings = { sweepMilliseconds: 20, overdueSeconds: 1, observeIntervalSeconds: 30, stepMilliseconds: 300 };
  const context = { database: stores.database, clock, settings, logger: pino({ level: 'silent' }) };
  const queue = { add: async () => undefined } as unknown as WakeQueue;
  const sweeper = startSweeper(context as unknown as FlowContext, queue, new Pulse(60_000));
  onTestFinished(() => sweeper.close());
  return {
    wakeAt: async () => ((await db.site.findUniqueOrThrow({ where: { id } })).wakeAt?.getTime() ?? 0) / 1000,
    sleepUntil: (at: number) => db.site.update({ where: { id }, data: { wakeAt: toDate(at) } }),
    setClock(at: number) {
      wall.milliseconds = at * 1000;
    },
  };
}

async function open(): Promise<TestDatabase> {
  const stores = await createTestDatabase();
  onTestFinished(() => stores.drop());
  return stores;
}

test('what was put to sleep by a clock that is set back wakes, also by a turn that had begun before', async () => {
  const ahead = NOW + HOUR_SECONDS;
  const site = await sweeping(await open(), ahead, ahead + 30);
  await new Promise((done) => setTimeout(done, 200));
  expect(await site.wakeAt()).toBe(ahead + 30);
  site.setClock(NOW);
  await expect.poll(() => site.wakeAt()).toBe(NOW);
  await site.sleepUntil(ahead + 40);
  await expect.poll(() => site.wakeAt()).toBe(NOW);
});

test('what sleeps too long since the clock was set back while no worker ran wakes at the start', async () => {
  const site = await sweeping(await open(), NOW, NOW + HOUR_SECONDS);
  await expect.poll(() => site.wakeAt()).toBe(NOW);
});

test('a clock that is right, or is put right by little, wakes nobody early', async () => {
  const site = await sweeping(await open(), NOW, NOW + 30);
  await new Promise((done) => setTimeout(done, 200));
  site.setClock(NOW - 1);
  await new Promise((done) => setTimeout(done, 500));
  expect(await site.wakeAt()).toBe(NOW + 30);
});
