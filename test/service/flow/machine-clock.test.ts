import { pino } from 'pino';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { FlowContext } from '../../../src/flow/context.ts';
import { MachineClock } from '../../../src/flow/machine-clock.ts';
import { Pulse } from '../../../src/flow/pulse.ts';
import { startSweeper } from '../../../src/flow/sweeper.ts';
import type { WakeQueue } from '../../../src/flow/wake-queue.ts';
import { readConfig } from '../../../src/main/config.ts';
import { openMigrated } from '../../../src/main/open-migrated.ts';
import { startServerProcess } from '../../../src/main/server.ts';
import { toDate } from '../../../src/store/moments.ts';
import { StatementCounts } from '../../../src/store/statements.ts';
import { SteppedClock } from '../../stepped-clock.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { newSite } from '../new-site.ts';

const HOUR_MILLISECONDS = 3_600_000;
const MOST_SECONDS = 300;
const logger = pino({ level: 'silent' });

afterEach(() => void vi.useRealTimers());

/** Sets the clock of this machine and nothing else: timers and PostgreSQL go on. */
function setClock(offMilliseconds: number): void {
  vi.useRealTimers();
  if (offMilliseconds === 0) return;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + offMilliseconds });
}

async function open(): Promise<TestDatabase> {
  const stores = await createTestDatabase();
  onTestFinished(() => stores.drop());
  return stores;
}

test.each([
  HOUR_MILLISECONDS,
  -HOUR_MILLISECONDS,
])('a clock that jumps by %i ms is not trusted at once, nor when it is held against PostgreSQL, until it is right', async (jump) => {
  const { database } = await open();
  const machine = new MachineClock(MOST_SECONDS);
  expect(await machine.look(database.db)).toBeNull();
  expect(machine.isTrusted).toBe(true);
  setClock(jump);
  expect(machine.isTrusted).toBe(false);
  expect(await machine.look(database.db)).toContain(jump > 0 ? 'ahead of' : 'behind');
  expect(machine.isTrusted).toBe(false);
  setClock(60_000);
  expect(machine.isTrusted).toBe(true);
  expect(await machine.look(database.db)).toBeNull();
});

test('a worker whose clock is off wakes nobody, and is given up with how far it is off', async () => {
  const stores = await open();
  const { db } = stores.database;
  const id = await newSite(db);
  await db.site.update({ where: { id }, data: { wakeAt: toDate(1000) } });
  const woken: unknown[] = [];
  const queue = { add: async (wakeUps: unknown[]) => void woken.push(...wakeUps) } as unknown as WakeQueue;
  const settings = {
    sweepMilliseconds: 20,
    overdueSeconds: 1,
    observeIntervalSeconds: 30,
    maxSkewSeconds: MOST_SECONDS,
  };
  const context = { database: stores.database, clock: new SteppedClock(5000), settings, logger };
  const pulse = new Pulse(60_000);
  setClock(HOUR_MILLISECONDS);
  const sweeper = startSweeper(context as unknown as FlowContext, queue, pulse);
  onTestFinished(() => sweeper.close());
  await expect.poll(() => pulse.isMoving).toBe(false);
  expect(pulse.givenUpBecause).toMatch(/^the clock of this machine is 1 h .*ahead of PostgreSQL's$/);
  expect(woken).toEqual([]);
});

test('no process starts on a machine whose clock is off', async () => {
  const { url } = await open();
  const bounds = { mostSkewSeconds: MOST_SECONDS, mostStatementSeconds: null };
  const start = () => openMigrated(url, 2, logger, new StatementCounts(), bounds);
  setClock(-HOUR_MILLISECONDS);
  await expect(start()).rejects.toThrow(/1 h .*behind PostgreSQL's; at most 5 m is allowed/);
  setClock(0);
  await (await start()).close();
});

test('an API on a machine whose clock is off is not ready, until it is right', async () => {
  const { url } = await open();
  const api = await startServerProcess(
    readConfig({ DATABASE_URL: url, GRIDCAST_PORT: '0', GRIDCAST_LOG_LEVEL: 'silent' }),
  );
  onTestFinished(() => api.close());
  const readiness = async () => (await fetch(new URL('/readyz', api.url))).text();
  expect(await readiness()).toBe('ready');
  setClock(HOUR_MILLISECONDS);
  expect(await readiness()).toBe('not ready: clock');
  setClock(0);
  expect(await readiness()).toBe('ready');
});
