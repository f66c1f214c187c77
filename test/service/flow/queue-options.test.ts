import { expect, onTestFinished, test } from 'vitest';
import { openWakeQueue, startWakeWorker } from '../../../src/flow/wake-queue.ts';
import { createTestDatabase } from '../database.ts';

test('wake-ups come through a database whose address has options of its own', async () => {
  const stores = await createTestDatabase();
  onTestFinished(() => stores.drop());
  const url = new URL(stores.url);
  url.search = `${url.search}&options=-c%20statement_timeout%3D60000`;
  const store = { databaseUrl: url.href, redisUrl: null };
  const woken: string[] = [];
  const handle = async ({ targetId }: { targetId: string }) => {
    woken.push(targetId);
    return 'DONE' as const;
  };
  const worker = await startWakeWorker(store, { sites: 1, work: 1 }, handle, () => undefined);
  onTestFinished(() => worker.close());
  const queue = await openWakeQueue(store, () => undefined);
  onTestFinished(() => queue.close());
  const wakeUp = { kind: 'SITE', targetId: crypto.randomUUID(), wakeAt: 0, requestId: null } as const;
  await queue.add([{ wakeUp, delayMilliseconds: 0, swept: null }]);
  await expect.poll(() => woken, { timeout: 10_000 }).toEqual([wakeUp.targetId]);
});
