import { describe, expect, test } from 'vitest';
import type { JobRecord } from '../../../src/domain/job.ts';
import type { NativeJob } from '../../../src/domain/site-adapter.ts';
import type { Snapshot } from '../../../src/domain/snapshot.ts';
import { submissionKey } from '../../../src/domain/submission.ts';
import { readUntil } from './read-until.ts';
import { need, sleeping, type Visitor } from './visitor.ts';

/** Queue, accounting and the answer to a submission may each round a moment, and a busy site is slow. */
const SAME_MOMENT_SECONDS = 10;
const LOOKS = 10;
const WALLTIME_SECONDS = 600;

/** What the verbs tell of one job is one story, with one set of times and sizes. */
export function describeAgreement(visitor: () => Visitor): void {
  describe('agreement', () => {
    test('every look shows every job once, with the times that are told of it alone', async () => {
      const { running, waiting } = await oneOfEach(visitor());
      const looks: Set<string>[] = [];
      for (let look = 0; look < LOOKS; look++) {
        const snapshot = await visitor().site.adapter.snapshot();
        looks.push(expectWhole(snapshot));
        const shown = [snapshot.running, snapshot.waiting].map((jobs) => jobs.map(({ key }) => key));
        expect(shown[0], `running at look ${look}`).toContain(running.key);
        expect(shown[1], `waiting at look ${look}`).toContain(waiting.key);
        const seen = await visitor().site.adapter.inspect([running.ref, waiting.ref]);
        expect([...seen.keys()].sort()).toEqual([running.ref.nativeId, waiting.ref.nativeId].sort());
        const job = snapshot.running.find(({ key }) => key === running.key);
        expectSameMoment(job?.submitAt, running.ref.submittedAt);
        expectSameMoment(job?.startAt, seen.get(running.ref.nativeId)?.startAt);
        expectSameMoment(snapshot.waiting.find(({ key }) => key === waiting.key)?.submitAt, waiting.ref.submittedAt);
      }
      expect(goneAndBack(looks), 'jobs that a look between two others does not show').toEqual([]);
      await visitor().cancelAll(waiting.ref, running.ref);
    });

    test('history tells of a job what was told of it before', async () => {
      const { site } = visitor();
      const beganAt = site.now() - 60;
      const { running, waiting } = await oneOfEach(visitor());
      const before = await visitor().untilState(running.ref, 'RUNNING');
      await visitor().cancelAll(running.ref);
      const cancelled = await visitor().untilState(running.ref, 'ENDED');
      expect(cancelled).toMatchObject({ outcome: 'CANCELLED', exitCode: null });
      expectSameMoment(cancelled.startAt, before.startAt);
      const completed = await visitor().untilState(waiting.ref, 'ENDED', 120);
      const seen = new Map<string, JobRecord>();
      const goesOnAt = await readUntil(visitor(), beganAt, seen, [running.ref.nativeId, waiting.ref.nativeId]);
      expect(goesOnAt, 'it goes on behind what it has told').toBeGreaterThan(beganAt);
      expectOneStory(seen.get(running.ref.nativeId), cancelled, site.processors - 1);
      expectOneStory(seen.get(waiting.ref.nativeId), completed, 2);
    });

    test('facts admit what the site takes', async () => {
      const { site } = visitor();
      const walltimeSeconds = 3600;
      const { ref } = await visitor().run({ processors: site.processors - 1, walltimeSeconds });
      const { running } = await site.adapter.snapshot();
      const named = running.find(({ nativeId }) => nativeId === ref.nativeId)?.queue;
      const facts = await site.adapter.facts();
      const queue =
        facts.queues.find(({ name }) => name === named) ?? facts.queues.find((one) => one.isDefault) ?? facts.queues[0];
      expect(queue?.bar ?? null, 'what bars the queue').toBeNull();
      const sizes = { max: queue?.maxProcessors, all: queue?.processors, usable: queue?.usableProcessors };
      for (const [what, size] of Object.entries(sizes)) {
        if (typeof size === 'number') expect(size, what).toBeGreaterThanOrEqual(site.processors - 1);
      }
      const longest = queue?.maxWalltimeSeconds ?? null;
      if (longest !== null) {
        expect(longest).toBeGreaterThanOrEqual(walltimeSeconds);
        expect(longest).toBeLessThan(site.tooLongWalltimeSeconds);
      }
      const now = site.now();
      expect(facts.maintenance?.filter(({ startAt, endAt }) => startAt <= now && now < endAt) ?? []).toEqual([]);
      await visitor().cancelAll(ref);
    });

    test('the keys of a job that is handed in again and again are told apart', async () => {
      const { adapter } = visitor().site;
      const executionId = crypto.randomUUID();
      const [first, second, tenth] = [1, 2, 10].map((attempt) => submissionKey(executionId, attempt)) as [
        string,
        string,
        string,
      ];
      const spec = { ...{ name: 'again', script: sleeping(600), arguments: [] }, processors: 1, queue: null };
      const later = await adapter.submit({ ...spec, walltimeSeconds: 900 }, tenth);
      expect(await adapter.find(first, later.submittedAt)).toBeNull();
      const earlier = await adapter.submit({ ...spec, walltimeSeconds: 900 }, first);
      expect(await adapter.find(second, later.submittedAt)).toBeNull();
      for (const [key, { nativeId, submittedAt }] of [[first, earlier] as const, [tenth, later] as const]) {
        expect(await adapter.find(key, submittedAt)).toMatchObject({ nativeId });
        expect(await visitor().bearersOf(key)).toEqual([nativeId]);
      }
      await visitor().cancelAll(earlier, later);
    });

    test('a script that a signal ended has the exit status that a shell gives it, or none', async (context) => {
      need(context, visitor().site.sharedFolder);
      const { ref } = await visitor().submit({ script: '#!/bin/sh\nkill -TERM $$\nsleep 60\n' });
      const { outcome, exitCode } = await visitor().untilState(ref, 'ENDED', 90);
      expect(outcome).toBe('FAILED');
      expect([143, null]).toContain(exitCode);
    });
  });
}

/** A job that leaves one processor, and one behind it that needs two. */
async function oneOfEach(visitor: Visitor) {
  const running = await visitor.occupy();
  const waiting = await visitor.submit({ script: sleeping(2), processors: 2, walltimeSeconds: WALLTIME_SECONDS });
  await visitor.site.until('the second job waits', async () => (await visitor.inspect(waiting.ref)) !== undefined);
  return { running, waiting };
}

/** @returns the ids of all jobs that it shows */
function expectWhole({ running, waiting, processors, freeProcessors }: Snapshot): Set<string> {
  const nativeIds = [...running, ...waiting].map(({ nativeId }) => nativeId);
  const shown = new Set(nativeIds);
  expect(nativeIds.length).toBe(shown.size);
  const busy = running.reduce((sum, job) => sum + job.processors, 0);
  expect(freeProcessors).toBeLessThanOrEqual(processors - busy);
  return shown;
}

function goneAndBack(looks: readonly Set<string>[]): string[] {
  return [...new Set(looks.flatMap((shown) => [...shown]))].filter((nativeId) => {
    const seenAt = looks.flatMap((shown, look) => (shown.has(nativeId) ? [look] : []));
    return (seenAt.at(-1) as number) - (seenAt[0] as number) + 1 > seenAt.length;
  });
}

function expectOneStory(record: JobRecord | undefined, job: NativeJob, processors: number): void {
  expect(record).toMatchObject({ processors, outcome: job.outcome });
  expect([WALLTIME_SECONDS, 3600, null]).toContain(record?.requestedWalltimeSeconds);
  expectSameMoment(record?.submitAt, job.submittedAt);
  expectSameMoment(record?.startAt, job.startAt);
  expectSameMoment(record?.endAt, job.endAt);
}

function expectSameMoment(one: number | null | undefined, other: number | null | undefined): void {
  expect(one).toEqual(expect.any(Number));
  expect(other).toEqual(expect.any(Number));
  expect(Math.abs((one as number) - (other as number))).toBeLessThanOrEqual(SAME_MOMENT_SECONDS);
}
