import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { FlowContext } from '../../../src/flow/context.ts';
import { Pulse } from '../../../src/flow/pulse.ts';
import { startSweeper } from '../../../src/flow/sweeper.ts';
import type { WakeQueue } from '../../../src/flow/wake-queue.ts';
import { SteppedClock } from '../../stepped-clock.ts';
import { createTestDatabase } from '../database.ts';
import { newSite } from '../new-site.ts';

const PATIENCE_MILLISECONDS = 1500;

test.for([
  [true, false],
  [false, true],
] as const)('of a worker whose rows stay overdue, and whose database takes writes: %s, it is said that it moves: %s', async ([
  takesWrites,
  isMoving,
], { onTestFinished }) => {
  const stores = await createTestDatabase();
  onTestFinished(() => stores.drop());
  await newSite(stores.database.db);
  const context = {
    database: { ...stores.database, takesWrites: async () => takesWrites },
    clock: new SteppedClock(1000),
    settings: { sweepMilliseconds: 50, overdueSeconds: 1, observeIntervalSeconds: 30 },
    logger: pino({ level: 'silent' }),
  } as unknown as FlowContext;
  const pulse = new Pulse(PATIENCE_MILLISECONDS);
  const queue = { add: async () => undefined } as unknown as WakeQueue;
  const sweeper = startSweeper(context, queue, pulse);
  onTestFinished(() => sweeper.close());
  await sleep(2 * PATIENCE_MILLISECONDS);
  await expect.poll(() => pulse.isMoving, { timeout: 20_000 }).toBe(isMoving);
});
