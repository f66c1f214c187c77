import { randomUUID } from 'node:crypto';
import type { TestContext } from 'vitest';
import { enqueueWakeUps } from '../../../src/store/outbox.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { startTestRedis, type TestRedis } from '../redis.ts';

/** What a test leaves goes when it ends. */
type Context = Pick<TestContext, 'onTestFinished'>;

/** How soon something happens depends on the machine. */
export const PATIENCE = { timeout: 60_000, interval: 50 };

/** A migrated database of a test's own. */
export async function freshDatabase({ onTestFinished }: Context): Promise<TestDatabase> {
  const stores = await createTestDatabase();
  onTestFinished(() => stores.drop());
  return stores;
}

/** A Redis of a test's own. */
export async function freshRedis({ onTestFinished }: Context): Promise<TestRedis> {
  const redis = await startTestRedis();
  onTestFinished(() => redis.stop());
  return redis;
}

/** Asks for a wake-up of a site that there is not, which has to go into the queue. */
export async function wakeSomebody({ database }: TestDatabase): Promise<void> {
  const wakeUp = { kind: 'SITE', targetId: randomUUID(), wakeAt: Date.now() / 1000, requestId: null } as const;
  await database.transaction((tx) => enqueueWakeUps(tx, [wakeUp]));
}
