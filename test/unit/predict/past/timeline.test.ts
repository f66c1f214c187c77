import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JobRecord } from '../../../../src/domain/job.ts';
import { Timeline } from '../../../../src/predict/past/timeline.ts';

const MACHINE = 64;

function record(nativeId: number, submitAt: number, startAt: number | null, endAt: number | null): JobRecord {
  return {
    nativeId: String(nativeId),
    user: 'alice',
    queue: 'batch',
    processors: 1 + (nativeId % 4),
    requestedWalltimeSeconds: nativeId % 3 === 0 ? null : 100,
    submitAt,
    startAt,
    endAt,
    outcome: endAt === null ? null : 'COMPLETED',
  };
}

/** Records of jobs that waited and ran for up to 40 s, some cancelled while they waited. */
const records = fc
  .array(fc.record({ submitAt: fc.nat(200), wait: fc.nat(40), run: fc.nat(40), cancelled: fc.boolean() }), {
    maxLength: 60,
  })
  .map((drafts) =>
    drafts.map(({ submitAt, wait, run, cancelled }, index) =>
      record(index + 1, submitAt, cancelled ? null : submitAt + wait, submitAt + wait + (cancelled ? 0 : run)),
    ),
  );

/** What is true of the records at a moment, by looking at each. */
function truth(all: readonly JobRecord[], at: number) {
  const begun = all.filter((job) => job.submitAt <= at && (job.endAt === null || job.endAt > at));
  const runs = (job: JobRecord) => job.startAt !== null && job.startAt <= at;
  return {
    waiting: begun.filter((job) => !runs(job)).map((job) => job.nativeId),
    running: begun.filter(runs).map((job) => job.nativeId),
  };
}

function seen(timeline: Timeline, at: number) {
  const { waiting, running } = timeline.snapshotAt(at);
  return { waiting: waiting.map((job) => job.nativeId), running: running.map((job) => job.nativeId) };
}

const sorted = ({ waiting, running }: ReturnType<typeof truth>) => ({
  waiting: [...waiting].sort(),
  running: [...running].sort(),
});

test('shows the state at any moment, asked in any order', () => {
  fc.assert(
    fc.property(records, fc.array(fc.nat(300)), (all, moments) => {
      const timeline = new Timeline(MACHINE);
      for (const job of all) timeline.observe(job);
      for (const at of moments) expect(sorted(seen(timeline, at))).toEqual(sorted(truth(all, at)));
    }),
  );
});

test('facts may come late, one by one and between questions', () => {
  fc.assert(
    fc.property(records, fc.array(fc.nat(300), { minLength: 1 }), (all, moments) => {
      const facts = all
        .flatMap((job) => [
          { at: job.submitAt, job: { ...job, startAt: null, endAt: null, outcome: null } },
          { at: (job.startAt ?? job.submitAt) + 9, job: { ...job, endAt: null, outcome: null } },
          { at: (job.endAt ?? 0) + 17, job },
        ])
        .sort((a, b) => a.at - b.at);
      const timeline = new Timeline(MACHINE);
      const known = new Map<string, JobRecord>();
      for (const [turn, { job }] of facts.entries()) {
        timeline.observe(job);
        known.set(job.nativeId, job);
        const at = moments[turn % moments.length] as number;
        expect(sorted(seen(timeline, at))).toEqual(sorted(truth([...known.values()], at)));
      }
    }),
  );
});

test('totals are the sums of what the snapshot shows', () => {
  fc.assert(
    fc.property(records, fc.array(fc.nat(300)), (all, moments) => {
      const timeline = new Timeline(MACHINE);
      for (const job of all) timeline.observe(job);
      for (const at of moments) {
        const { waiting, running, freeProcessors } = timeline.snapshotAt(at);
        const size = (jobs: readonly { processors: number }[]) => jobs.reduce((sum, job) => sum + job.processors, 0);
        expect(timeline.totalsAt(at)).toEqual({
          waitingJobs: waiting.length,
          waitingProcessors: size(waiting),
          waitingProcessorSeconds: size(waiting.filter((job) => job.requestedWalltimeSeconds !== null)) * 100,
          runningJobs: running.length,
          busyProcessors: size(running),
        });
        expect(freeProcessors).toBe(Math.max(0, MACHINE - size(running)));
      }
    }),
  );
});

test('a requeued job waits again, and no state shows what was still to come', () => {
  const timeline = new Timeline(MACHINE);
  timeline.observe(record(1, 10, 20, null));
  expect(seen(timeline, 30)).toEqual({ waiting: [], running: ['1'] });
  timeline.observe(record(1, 10, null, null));
  expect(seen(timeline, 30)).toEqual({ waiting: ['1'], running: [] });
  timeline.observe(record(1, 10, 50, 90));
  expect(timeline.snapshotAt(60).running).toEqual([
    expect.not.objectContaining({ endAt: expect.anything(), outcome: expect.anything() }),
  ]);
  expect(timeline.snapshotAt(30).waiting).toEqual([expect.not.objectContaining({ startAt: expect.anything() })]);
  expect(seen(timeline, 90)).toEqual({ waiting: [], running: [] });
});

test('an id that the site uses again is another job', () => {
  const timeline = new Timeline(MACHINE);
  timeline.observe(record(1, 10, 20, 30));
  timeline.observe(record(1, 100, 120, 130));
  expect(seen(timeline, 25)).toEqual({ waiting: [], running: ['1'] });
  expect(seen(timeline, 110)).toEqual({ waiting: ['1'], running: [] });
});

test('goes back over many checkpoints', () => {
  const timeline = new Timeline(MACHINE);
  const all = Array.from({ length: 5000 }, (_, index) => record(index, index * 10, index * 10 + 25, index * 10 + 45));
  for (const job of all) timeline.observe(job);
  for (const at of [49_999, 17, 30_003, 30_002, 12_345, 49_000]) {
    expect(sorted(seen(timeline, at))).toEqual(sorted(truth(all, at)));
  }
});
