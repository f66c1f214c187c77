import { describe, expect, test } from 'vitest';
import type { Snapshot } from '../../../../src/domain/snapshot.ts';
import type { LaterJob } from '../../../../src/predict/wait/gridcast/later-features.ts';
import { WouldBeJobs, type WouldBeWait } from '../../../../src/predict/wait/gridcast/would-be-jobs.ts';

const STEP_SECONDS = 300;
const FULL_UNTIL = 40_000;

function stateAt(observedAt: number): Snapshot {
  const job = { nativeId: 'r', key: null, user: null, queue: null, submitAt: 0, startAt: 0 };
  const isFull = observedAt < FULL_UNTIL;
  const running = isFull ? [{ ...job, processors: 64, requestedWalltimeSeconds: FULL_UNTIL }] : [];
  return { observedAt, processors: 64, freeProcessors: isFull ? 0 : 64, waiting: [], running };
}

/** Thinks of a job at each of so many snapshots. */
function followed(jobs: WouldBeJobs<LaterJob>, from: number, snapshots: number): WouldBeWait<LaterJob>[] {
  return Array.from({ length: snapshots }, (_, i) => {
    const state = stateAt(from + i * STEP_SECONDS);
    jobs.add(state, (job) => job);
    return jobs.follow(state, true);
  }).flat();
}

describe('jobs that nobody submits', () => {
  test('start as soon as the machine is free, known to half the time between snapshots', () => {
    const waits = followed(new WouldBeJobs<LaterJob>(), 6000, 240);
    expect(waits.length).toBeGreaterThan(150);
    for (const { note, waitSeconds, isOver } of waits) {
      expect(isOver).toBe(true);
      expect(Math.abs(waitSeconds - Math.max(0, FULL_UNTIL - note.submitAt))).toBeLessThanOrEqual(STEP_SECONDS);
    }
    expect(waits.some(({ waitSeconds }) => waitSeconds > 10_000)).toBe(true);
    expect(waits.filter(({ waitSeconds }) => waitSeconds === 0).length).toBeGreaterThan(50);
  });

  test('are not watched for more than half a day', () => {
    const state = (observedAt: number) => ({ ...stateAt(0), observedAt });
    const jobs = new WouldBeJobs<LaterJob>();
    const waits = Array.from({ length: 400 }, (_, i) => {
      jobs.add(state(i * STEP_SECONDS), (job) => job);
      return jobs.follow(state(i * STEP_SECONDS), true);
    }).flat();
    expect(waits.length).toBeGreaterThan(50);
    for (const { waitSeconds, isOver } of waits) {
      expect(isOver).toBe(false);
      expect(waitSeconds).toBeGreaterThanOrEqual(43_200);
      expect(waitSeconds).toBeLessThan(43_200 + STEP_SECONDS);
    }
  });

  test('fit the machine, have all shapes, and come now, soon and within six and a half hours', () => {
    const notes: LaterJob[] = [];
    const remember = (job: LaterJob) => {
      notes.push(job);
      return job;
    };
    const jobs = new WouldBeJobs<LaterJob>();
    const queue = [1, 2].map((processors) => ({ ...stateAt(0).running[0], processors, requestedWalltimeSeconds: 77 }));
    const state = { ...stateAt(FULL_UNTIL), waiting: queue as Snapshot['waiting'] };
    for (let i = 0; i < 500; i++) jobs.add(state, remember);
    const leads = notes.map(({ submitAt }) => submitAt - FULL_UNTIL);
    for (const { processors } of notes) expect([processors >= 1, processors <= 64]).toEqual([true, true]);
    expect(new Set(notes.map(({ processors }) => processors)).size).toBeGreaterThan(20);
    expect(notes.filter(({ walltimeSeconds }) => walltimeSeconds === 77).length).toBeGreaterThan(80);
    expect(notes.filter(({ walltimeSeconds }) => walltimeSeconds >= 600).length).toBeGreaterThan(300);
    expect(leads.filter((lead) => lead === 0).length).toBeGreaterThan(50);
    expect(Math.max(...leads)).toBeGreaterThan(20_000);
    expect(Math.max(...leads)).toBeLessThanOrEqual(23_400);
  });

  test('are the same for the same snapshots, and none once forgotten', () => {
    const [one, other] = [new WouldBeJobs<LaterJob>(), new WouldBeJobs<LaterJob>()];
    expect(followed(one, 6000, 50)).toEqual(followed(other, 6000, 50));
    expect(one.waits()).toEqual(other.waits());
    expect(one.waits().length).toBeGreaterThan(0);
    one.forget();
    expect([one.waits(), one.follow(stateAt(FULL_UNTIL + 50_000), true)]).toEqual([[], []]);
  });
});
