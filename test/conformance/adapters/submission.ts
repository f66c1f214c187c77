import { describe, expect, test } from 'vitest';
import { Rejected, Unknown } from '../../../src/domain/failures.ts';
import type { JobSpec } from '../../../src/domain/job.ts';
import { during, type Refusals } from './site-under-test.ts';
import { failureOf, freshKey, need, sleeping, type Visitor } from './visitor.ts';

/** A site that does not answer is not waited for. */
const PATIENCE_MILLISECONDS = 40_000;

/** Submission, its keys, refusals and cancelling. */
export function describeSubmission(visitor: () => Visitor): void {
  describe('submission', () => {
    test('an accepted job is in the queue under its key, runs and ends with its exit code', async () => {
      const { site } = visitor();
      const before = site.now();
      const { key, ref } = await visitor().submit({ script: '#!/bin/sh\nsleep 1\nexit 3\n', processors: 2 });
      expect(ref.nativeId).not.toBe('');
      expect(Math.abs(ref.submittedAt - before)).toBeLessThan(60);
      const ended = await visitor().untilState(ref, 'ENDED');
      expect(ended).toMatchObject({ outcome: 'FAILED', exitCode: 3 });
      expect(ended.startAt).toBeGreaterThanOrEqual(ended.submittedAt - 1);
      expect(ended.endAt).toBeGreaterThanOrEqual(ended.startAt as number);
      expect(await site.adapter.find(key, before)).toMatchObject({ nativeId: ref.nativeId, state: 'ENDED' });
    });

    test('a job is found by its key while it waits and while it runs, and the snapshot shows it', async () => {
      const { site } = visitor();
      const running = await visitor().occupy();
      const waiting = await visitor().submit({ script: sleeping(600), processors: 2 });
      await site.until('the second job waits', async () => (await visitor().inspect(waiting.ref)) !== undefined);
      for (const [{ key, ref }, state] of [
        [running, 'RUNNING'],
        [waiting, 'WAITING'],
      ] as const) {
        expect(await site.adapter.find(key, ref.submittedAt)).toMatchObject({ nativeId: ref.nativeId, state });
      }
      const snapshot = await site.adapter.snapshot();
      expect(Math.abs(snapshot.observedAt - site.now())).toBeLessThan(60);
      expect(snapshot.processors).toBe(site.processors);
      expect(snapshot.running.find(({ key }) => key === running.key)).toMatchObject({
        nativeId: running.ref.nativeId,
        processors: site.processors - 1,
        startAt: expect.any(Number),
      });
      expect(snapshot.waiting.find(({ key }) => key === waiting.key)).toMatchObject({
        nativeId: waiting.ref.nativeId,
        processors: 2,
        requestedWalltimeSeconds: 600,
      });
      await visitor().cancelAll(running.ref, waiting.ref);
    });

    test('a key that is handed in twice is never hidden: every job that bears it can be seen and cancelled', async () => {
      const { adapter } = visitor().site;
      const key = freshKey();
      const spec = {
        name: 'twice',
        script: sleeping(600),
        arguments: [],
        processors: 1,
        walltimeSeconds: 900,
        queue: null,
      };
      const accepted = [await adapter.submit(spec, key), await adapter.submit(spec, key)];
      const nativeIds = [...new Set(accepted.map(({ nativeId }) => nativeId))].sort();
      expect((await visitor().bearersOf(key)).sort()).toEqual(nativeIds);
      const found = await adapter.find(key, accepted[0]?.submittedAt ?? 0);
      expect(nativeIds).toContain(found?.nativeId);
      await visitor().cancelAll(...accepted);
      expect(await visitor().bearersOf(key)).toEqual([]);
    });

    test('after a lost reply the submission is unknown, and find knows the job', async (context) => {
      const trouble = need(context, visitor().site.lostReplies);
      const { site } = visitor();
      const intendedAt = site.now();
      const key = freshKey();
      const spec = {
        name: 'lost',
        script: sleeping(600),
        arguments: [],
        processors: 1,
        walltimeSeconds: 900,
        queue: null,
      };
      await during(trouble, async () => {
        const askedAt = performance.now();
        expect(await failureOf(site.adapter.submit(spec, key))).toBeInstanceOf(Unknown);
        expect(performance.now() - askedAt).toBeLessThan(PATIENCE_MILLISECONDS);
      });
      let found = await site.adapter.find(key, intendedAt);
      await site.until('the key is found', async () => {
        found = await site.adapter.find(key, intendedAt);
        return found !== null;
      });
      expect(await visitor().bearersOf(key)).toEqual([found?.nativeId]);
      if (found) await visitor().cancelAll(found);
    });

    test.for<[keyof Refusals, (visitor: Visitor) => Partial<JobSpec>]>([
      ['tooManyProcessors', ({ site }) => ({ processors: 64 * site.processors })],
      ['tooLongWalltime', ({ site }) => ({ walltimeSeconds: site.tooLongWalltimeSeconds })],
      ['unknownQueue', () => ({ queue: 'nosuchqueue' })],
    ])('a job that the site will never take is rejected in its own words: %s', async ([
      refusal,
      overrides,
    ], context) => {
      const { site } = visitor();
      const words = need(context, site.refusals[refusal]);
      const spec = { name: 'no', script: sleeping(1), arguments: [], processors: 1, walltimeSeconds: 600, queue: null };
      const key = freshKey();
      const failure = await failureOf(site.adapter.submit({ ...spec, ...overrides(visitor()) }, key));
      expect(failure).toBeInstanceOf(Rejected);
      expect(failure.siteSays).toMatch(words);
      expect(await site.adapter.find(key, site.now() - 60)).toBeNull();
    });
  });

  describe('cancelling', () => {
    test('a running and a waiting job end as cancelled, and again is no error', async () => {
      const { site } = visitor();
      const running = await visitor().occupy();
      const waiting = await visitor().submit({ script: sleeping(600), processors: 2 });
      await visitor().cancelAll(waiting.ref, running.ref);
      await visitor().cancelAll(waiting.ref, running.ref);
      expect(await visitor().inspect(running.ref)).toMatchObject({ state: 'ENDED', outcome: 'CANCELLED' });
      expect(await visitor().inspect(waiting.ref)).toMatchObject({ outcome: 'CANCELLED', startAt: null });
      const { running: left } = await site.adapter.snapshot();
      expect(left.map(({ key }) => key)).not.toContain(running.key);
    });

    test('a job that has ended stays what it was', async () => {
      const { ref } = await visitor().submit();
      await visitor().untilState(ref, 'ENDED');
      await visitor().site.adapter.cancel(ref);
      expect(await visitor().inspect(ref)).toMatchObject({ state: 'ENDED', outcome: 'COMPLETED', exitCode: 0 });
    });

    test('another job that got the same id is neither shown nor cancelled', async () => {
      const { key, ref } = await visitor().run();
      const earlier = { nativeId: ref.nativeId, submittedAt: ref.submittedAt - 86_400 };
      expect(await visitor().inspect(earlier)).toBeUndefined();
      await visitor().site.adapter.cancel(earlier);
      expect(await visitor().bearersOf(key)).toEqual([ref.nativeId]);
      expect(await visitor().inspect(ref)).toMatchObject({ state: 'RUNNING' });
      await visitor().cancelAll(ref);
    });
  });
}
