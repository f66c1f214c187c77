import { describe, expect, test } from 'vitest';
import type { StartedRecord } from '../../../src/domain/job.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../../../src/domain/snapshot.ts';
import { CaseBase, WEIGHT_COUNT } from '../../../src/predict/wait/case-base.ts';
import { Ibl } from '../../../src/predict/wait/ibl.ts';
import {
  NUMERIC_FEATURE_COUNT,
  numericFeatures,
  STATE_FEATURES,
  summariseState,
} from '../../../src/predict/wait/submission-features.ts';

function waiting(processors: number, requestedWalltimeSeconds: number, submitAt: number): WaitingJob {
  return { nativeId: 'w', key: null, user: null, queue: null, processors, requestedWalltimeSeconds, submitAt };
}

function running(processors: number, requestedWalltimeSeconds: number, startAt: number): RunningJob {
  return { ...waiting(processors, requestedWalltimeSeconds, startAt), startAt };
}

function snapshot(observedAt: number, queue: WaitingJob[] = [], jobs: RunningJob[] = []): Snapshot {
  return { observedAt, processors: 64, freeProcessors: 9, waiting: queue, running: jobs };
}

test('a state is summed up on a logarithmic scale', () => {
  const queue = [waiting(2, 100, 900), waiting(3, 10, 700)];
  const { values } = summariseState(snapshot(1000, queue, [running(4, 500, 800), running(1, 50, 800)]));
  const amounts = Object.fromEntries(STATE_FEATURES.map((name, i) => [name, Math.expm1(values[i] as number)]));
  expect(amounts.waitingJobs).toBeCloseTo(2, 9);
  expect(amounts.waitingProcessors).toBeCloseTo(5, 9);
  expect(amounts.waitingProcessorSeconds).toBeCloseTo(230, 9);
  expect(amounts.longestElapsedWaitSeconds).toBeCloseTo(300, 9);
  expect(amounts.runningJobs).toBeCloseTo(2, 9);
  expect(amounts.freeProcessors).toBeCloseTo(9, 9);
  expect(amounts.runningProcessorSecondsLeft).toBeCloseTo(4 * 300, 9);
});

describe('the case base', () => {
  const job = (user: string, processors: number) => ({ user, queue: null, processors, requestedWalltimeSeconds: null });
  const empty = summariseState(snapshot(0));
  const oneCase = (user: string, processors: number, seconds: number) => {
    return { job: job(user, processors), features: numericFeatures(job(user, processors), empty), seconds };
  };
  test('what is asked about is not kept, and is like no case', () => {
    const cases = new CaseBase(10);
    cases.add(oneCase('ann', 1, 10));
    const before = JSON.stringify(
      [...Object.values(cases)].filter((value) => value instanceof Map).map((map) => map.size),
    );
    for (let n = 0; n < 100; n++) {
      const asked = job(`somebody ${n}`, 1);
      const [nearest] = cases.nearest(asked, numericFeatures(asked, empty), onlyUserAndSize, 1);
      expect(nearest?.distance).toBeGreaterThan(0);
    }
    const after = JSON.stringify(
      [...Object.values(cases)].filter((value) => value instanceof Map).map((map) => map.size),
    );
    expect(after).toBe(before);
  });

  const onlyUserAndSize = Float64Array.from({ length: WEIGHT_COUNT }, (_, i) => (i === 0 || i === 2 ? 1 : 0));

  test('by hand: sizes 1 and 31 are a whole range apart, users differ by 1; the squares are averaged over the weights', () => {
    const cases = new CaseBase(10);
    cases.add(oneCase('ann', 1, 10));
    cases.add(oneCase('bob', 31, 20));
    cases.add(oneCase('bob', 1, 30));
    const asked = job('ann', 1);
    const found = cases.nearest(asked, numericFeatures(asked, empty), onlyUserAndSize, 3);
    expect(found.map(({ index }) => cases.secondsOf(index))).toEqual([10, 30, 20]);
    expect(found.map(({ distance }) => distance)).toEqual([0, Math.sqrt(1 / 2), 1]);
    expect([...cases.scaledAt(1)].slice(0, 2)).toEqual([1, 0]);
  });

  test('keeps the newest only, and no more neighbours than asked for', () => {
    const cases = new CaseBase(3);
    for (let i = 1; i <= 5; i++) cases.add(oneCase('ann', i, i));
    const found = cases.nearest(job('ann', 5), numericFeatures(job('ann', 5), empty), onlyUserAndSize, 2);
    expect(cases.size).toBe(3);
    expect(found.map(({ index }) => cases.secondsOf(index))).toEqual([5, 4]);
    expect(numericFeatures(job('ann', 5), empty)).toHaveLength(NUMERIC_FEATURE_COUNT);
  });
});

describe('instance-based learning', () => {
  const MINUTE = 60;
  const queueOf = (jobs: number, at: number) => Array.from({ length: jobs }, () => waiting(1, 600, at));

  /** A job's wait is a hundred seconds for each job that waits; queues of 0 to 19 come without pattern. */
  function trained(): Ibl {
    const ibl = new Ibl({ tuneEvery: 1000 });
    for (let i = 0; i < 2000; i++) {
      const submitAt = i * 10 * MINUTE;
      const length = ((i * 7919) % 997) % 20;
      ibl.observed(snapshot(submitAt - 10, queueOf(length, submitAt - 10)));
      ibl.started(record(i, submitAt, 100 * length));
    }
    return ibl;
  }

  function record(i: number, submitAt: number, wait: number): StartedRecord {
    const job = {
      nativeId: `${i}`,
      user: `u${i % 3}`,
      queue: null,
      processors: 1 + (i % 8),
      requestedWalltimeSeconds: 600,
    };
    return { ...job, submitAt, startAt: submitAt + wait, endAt: null, outcome: null };
  }

  const now = 2000 * 10 * MINUTE;
  const query = { queue: null, processors: 4, requestedWalltimeSeconds: 600, user: 'u1', submitAt: now };

  test('learns that waits go with the length of the queue, after tuning without being told', () => {
    const ibl = trained();
    for (const length of [2, 8, 15]) {
      const forecast = ibl.predict(query, snapshot(now, queueOf(length, now - 10)), now);
      expect(Math.abs(forecast.pointSeconds - 100 * length)).toBeLessThan(150);
      expect(forecast.quantileSeconds[9]).toBeGreaterThan(100 * length - 500);
      expect(forecast.quantileSeconds[89]).toBeLessThan(100 * length + 500);
    }
  });

  test('the same seed tunes alike', () => {
    const state = snapshot(now, queueOf(7, now - 10));
    expect(trained().predict(query, state, now)).toEqual(trained().predict(query, state, now));
  });

  test('without any state it still answers from the jobs alone', () => {
    const ibl = new Ibl();
    for (let i = 0; i < 50; i++) ibl.started(record(i, i * MINUTE, 300));
    expect(ibl.predict(query, null, now).pointSeconds).toBeCloseTo(300, 6);
  });
});
