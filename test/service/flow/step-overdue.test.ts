import { afterEach, expect, test } from 'vitest';
import { advance } from '../../../src/flow/advance.ts';
import { StepOverdue } from '../../../src/flow/hold-turn.ts';
import { findOverdueWakeUps } from '../../../src/store/outbox.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';

let world: SteppedWorld;
afterEach(() => world.close());

test('a step that passes its deadline ends, its row is taken up by another worker, and it cannot write any more', async () => {
  world = await createSteppedWorld({
    seed: 1,
    sites: [
      { name: 'east', processors: 64, policy: 'easy', workload: { generated: { seed: 5, load: 0.1 } }, warmDays: 1 },
    ],
  });
  const { db } = world.database;
  const east = () => db.site.findFirstOrThrow({ where: { name: 'east' } });
  const { id, wakeAt } = await east();
  const dueAt = (wakeAt?.getTime() ?? 0) / 1000;
  world.clock.advanceTo(Math.max(world.clock.now(), dueAt));
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const slow = world.worker({
    adapter: (adapter) => ({
      ...adapter,
      async snapshot() {
        const snapshot = await adapter.snapshot();
        await answered;
        return snapshot;
      },
    }),
  });
  const settings = { ...slow.settings, stepMilliseconds: 300, leaseMilliseconds: 1500 };
  const step = advance({ ...slow, settings }, { kind: 'SITE', targetId: id, wakeAt: dueAt, requestId: null });
  await expect(step).rejects.toThrow(StepOverdue);

  const overdue = () => findOverdueWakeUps(db, 0, 10);
  await expect.poll(overdue, { timeout: 60_000 }).toMatchObject([{ kind: 'SITE', targetId: id }]);
  world.clock.advanceTo(world.clock.now() + 60);
  const seenBefore = (await east()).observedAt?.getTime();
  await world.until('it is looked at again', async () => (await east()).observedAt?.getTime() !== seenBefore);
  const seen = await east();
  expect(seen.leaseExpiresAt).toBeNull();
  answer();
  await world.until('the next look', async () => (await east()).version > seen.version);
  expect((await east()).observedAt?.getTime()).toBeGreaterThanOrEqual(seen.observedAt?.getTime() ?? Infinity);
});
