import { describe, expect, test } from 'vitest';
import { need, type Visitor } from './visitor.ts';

const MANY_JOBS = 5000;

/** Ends that nobody wished for, and a queue that is full. The site is not good for much afterwards. */
export function describeEnds(visitor: () => Visitor): void {
  describe('ends', () => {
    test('a job that outlives its walltime ends as TIMEOUT', async () => {
      const { site, doomed } = visitor();
      const seconds = site.shortestWalltimeSeconds + site.walltimeGraceSeconds;
      const ended = await visitor().untilState(await doomed, 'ENDED', seconds);
      expect(ended).toMatchObject({ outcome: 'TIMEOUT', exitCode: null });
      const ranSeconds = ended.endAt - (ended.startAt as number);
      // A busy host begins the script some seconds after it began to count.
      expect(ranSeconds).toBeGreaterThanOrEqual(site.shortestWalltimeSeconds - 5);
      expect(ranSeconds).toBeLessThanOrEqual(seconds);
    });

    test('a job whose node is lost ends as NODE_FAIL or goes back into the queue, and is never just gone', async (context) => {
      const { site } = visitor();
      const hand = need(context, site.nodeLoss);
      hand.arrange?.();
      const { key, ref } = await visitor().run();
      const { startAt } = await visitor().untilState(ref, 'RUNNING');
      await hand.strike(ref);
      await site.until('the loss shows', async () => {
        const job = await visitor().inspect(ref);
        expect(job).toBeDefined();
        return job?.state !== 'RUNNING' || job.startAt > startAt;
      });
      const job = await visitor().inspect(ref);
      if (job?.state === 'ENDED') expect(job.outcome).toBe('NODE_FAIL');
      await hand.repair();
      expect(await site.adapter.find(key, ref.submittedAt)).toMatchObject({ nativeId: ref.nativeId });
      await visitor().cancelAll(ref);
    });
  });

  describe('a full queue', () => {
    test(`one snapshot lists ${MANY_JOBS} waiting jobs, and a key is still found`, {
      timeout: 300_000,
    }, async (context) => {
      const { site } = visitor();
      const fillQueue = need(context, site.fillQueue);
      await fillQueue(MANY_JOBS);
      const { key, ref } = await visitor().submit({ processors: site.processors });
      await site.until('the snapshot has them all', async () => {
        const { waiting } = await site.adapter.snapshot();
        return waiting.length >= MANY_JOBS;
      });
      const startedAt = performance.now();
      const snapshot = await site.adapter.snapshot();
      const seconds = (performance.now() - startedAt) / 1000;
      expect(snapshot.waiting.length + snapshot.running.length).toBeGreaterThanOrEqual(MANY_JOBS);
      expect(await site.adapter.find(key, ref.submittedAt)).toMatchObject({ nativeId: ref.nativeId });
      // Generous, because machines that run tests are busy; `bench` measures it.
      expect(seconds).toBeLessThan(10);
    });
  });
}
