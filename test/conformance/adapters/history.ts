import { describe, expect, test } from 'vitest';
import type { JobRecord } from '../../../src/domain/job.ts';
import { readUntil } from './read-until.ts';
import { need, sleeping, type Visitor } from './visitor.ts';

/** What the site's accounting tells of the past. */
export function describeHistory(visitor: () => Visitor): void {
  describe('history', () => {
    test('jobs that ended are in it, each with its outcome, and no slice leaves a gap', async () => {
      const { site } = visitor();
      const beganAt = site.now() - 60;
      const completed = await visitor().submit({ script: sleeping(1), processors: 2 });
      const failed = await visitor().submit({ script: '#!/bin/sh\nexit 4\n' });
      const cancelled = await visitor().run();
      await visitor().cancelAll(cancelled.ref);
      const seen = new Map<string, JobRecord>();
      const first = [completed, failed, cancelled].map(({ ref }) => ref.nativeId);
      let since = await readUntil(visitor(), beganAt, seen, first);
      expect(seen.get(completed.ref.nativeId)).toMatchObject({ outcome: 'COMPLETED', processors: 2 });
      expect(seen.get(failed.ref.nativeId)).toMatchObject({ outcome: 'FAILED', processors: 1 });
      expect(seen.get(cancelled.ref.nativeId)).toMatchObject({ outcome: 'CANCELLED' });
      for (const nativeId of first) expectOrder(seen.get(nativeId) as JobRecord);

      const later = await visitor().submit({ script: sleeping(1) });
      await visitor().untilState(later.ref, 'ENDED');
      since = await readUntil(visitor(), since, seen, [later.ref.nativeId]);
      expect(since).toBeGreaterThanOrEqual(beganAt);
    });

    test('what it tells of the use of a job is right or absent, and its key in its name is no program', async () => {
      const { site } = visitor();
      const beganAt = site.now() - 60;
      const { ref } = await visitor().submit({ script: USING });
      await visitor().untilState(ref, 'ENDED', 120);
      const seen = new Map<string, JobRecord>();
      const isTold = () => site.tellsUse.every((amount) => (seen.get(ref.nativeId)?.use?.[amount] ?? null) !== null);
      await readUntil(visitor(), beganAt, seen, [ref.nativeId], isTold);
      const record = seen.get(ref.nativeId) as JobRecord;
      expect(record).toMatchObject({ outcome: 'COMPLETED' });
      expect(record.program).toBeUndefined();
      const told = Object.entries(record.use ?? {}).filter(([, amount]) => amount !== null);
      expect(told.map(([name]) => name).sort()).toEqual([...site.tellsUse].sort());
      for (const [name, amount] of told) {
        const [least, most] = USED[name as keyof typeof USED];
        expect(amount, name).toBeGreaterThanOrEqual(least);
        expect(amount, name).toBeLessThanOrEqual(most);
      }
    });

    test('a job that was held back can be seen waiting, and is cancelled without ever having run', async (context) => {
      const { site } = visitor();
      const hand = need(context, site.hold);
      const blocker = await visitor().occupy();
      const held = await visitor().submit({ script: sleeping(600), processors: 2 });
      const freed = await visitor().submit({ script: sleeping(600), processors: 2 });
      await hand.hold(held.ref);
      await hand.hold(freed.ref);
      await visitor().cancelAll(blocker.ref);
      await hand.release(freed.ref);
      await visitor().untilState(freed.ref, 'RUNNING');
      expect(await visitor().inspect(held.ref)).toMatchObject({ state: 'WAITING' });
      expect(await visitor().bearersOf(held.key)).toEqual([held.ref.nativeId]);
      await visitor().cancelAll(held.ref, freed.ref);
      expect(await visitor().inspect(held.ref)).toMatchObject({ outcome: 'CANCELLED', startAt: null });
      expect(await site.adapter.find(held.key, held.ref.submittedAt)).toMatchObject({ outcome: 'CANCELLED' });
    });

    test('a job that is put back into the queue is still the same job', async (context) => {
      const { site } = visitor();
      const requeue = need(context, site.requeue);
      const { key, ref } = await visitor().run();
      const startedAt = (await visitor().untilState(ref, 'RUNNING')).startAt;
      await requeue(ref);
      await site.until('it waits, or runs once more', async () => {
        const job = await visitor().inspect(ref);
        expect(job?.state).not.toBe('ENDED');
        return job?.state === 'WAITING' || (job?.startAt ?? 0) > startedAt;
      });
      expect(await site.adapter.find(key, ref.submittedAt)).toMatchObject({ nativeId: ref.nativeId });
      await visitor().cancelAll(ref);
    });
  });
}

/** Writes 50 MiB, burns three seconds of CPU, and then stays for a while, so that whoever samples has seen both. */
const USING = `#!/bin/sh
dd if=/dev/zero of=/tmp/gridcast-use.$$ bs=1M count=50
rm -f /tmp/gridcast-use.$$
(ulimit -t 3; while :; do :; done)
sleep 15
`;
/** The least and the most that it can be said to have used. */
const USED = {
  cpuSeconds: [2, 20],
  memoryBytes: [2 ** 16, 2 ** 32],
  readBytes: [0, 200 * 2 ** 20],
  writtenBytes: [50 * 2 ** 20, 200 * 2 ** 20],
} as const;

function expectOrder({ submitAt, startAt, endAt }: JobRecord): void {
  expect(startAt).toBeGreaterThanOrEqual(submitAt - 1);
  expect(endAt).toBeGreaterThanOrEqual(startAt as number);
}
