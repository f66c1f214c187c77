import { describe, expect, test } from 'vitest';
import { probabilityToStartWithin, secondsAtProbability, type WaitQuery } from '../../../src/domain/forecast.ts';
import type { StartedRecord } from '../../../src/domain/job.ts';
import { readCheckpoint, writeCheckpoint } from '../../../src/predict/checkpoint/checkpoint.ts';
import { ChangePointHistory } from '../../../src/predict/wait/change-point-history.ts';
import { type ClassedWait, findJobClasses } from '../../../src/predict/wait/job-classes.ts';
import { Qbets } from '../../../src/predict/wait/qbets.ts';

const PARAMETERS = { quantile: 0.95, confidence: 0.95, capacity: 1000 };

/** Values 0..996 in an order without pattern. */
const scattered = (i: number) => (i * 7919) % 997;

function record(i: number, waitSeconds: number, processors = 4, walltimeSeconds: number | null = 3600): StartedRecord {
  return {
    nativeId: `${i}`,
    user: null,
    queue: null,
    processors,
    requestedWalltimeSeconds: walltimeSeconds,
    submitAt: i - waitSeconds,
    startAt: i,
    endAt: null,
    outcome: null,
  };
}

function query(processors: number, walltimeSeconds: number): WaitQuery {
  return { queue: null, processors, requestedWalltimeSeconds: walltimeSeconds, user: null, submitAt: 1e6 };
}

describe('bounds of one history', () => {
  test('59 waits bound the .95 quantile by their largest, 58 do not', () => {
    const history = new ChangePointHistory(PARAMETERS);
    for (let i = 1; i <= 58; i++) history.learn(i);
    expect(history.percentileBounds()[94]).toBe(Number.POSITIVE_INFINITY);
    expect(history.isLongEnough).toBe(false);
    history.learn(59);
    expect(history.percentileBounds()[94]).toBe(59);
    expect(history.isLongEnough).toBe(true);
  });

  test('the bound of the median of 1..100 is the 59th (P[Bin(100, .5) <= 58] = .9557, <= 57 .9334)', () => {
    const history = new ChangePointHistory(PARAMETERS);
    for (let i = 1; i <= 100; i++) history.learn(101 - i);
    expect(history.percentileBounds()[49]).toBe(59);
    expect(history.medianSeconds()).toBe(50);
  });

  test('the bounds hold on waits drawn alike: each level is covered at least as often as it says', () => {
    const history = new ChangePointHistory(PARAMETERS);
    for (let i = 0; i < 997; i++) history.learn(scattered(i));
    for (const level of [0.5, 0.75, 0.9, 0.95]) {
      const bound = history.percentileBounds()[Math.round(level * 100) - 1] as number;
      expect((bound + 1) / 997).toBeGreaterThanOrEqual(level);
      expect((bound + 1) / 997).toBeLessThan(level + 0.03);
    }
  });
});

describe('change points', () => {
  function historyOf(length: number): ChangePointHistory {
    const history = new ChangePointHistory(PARAMETERS);
    for (let i = 0; i < length; i++) history.learn(scattered(i));
    return history;
  }

  test('two waits above the bound are chance, a run of them forgets all but the shortest history', () => {
    const history = historyOf(500);
    history.learn(50_000);
    history.learn(50_000);
    expect(history.size).toBe(502);
    let added = 2;
    while (history.size > 59 && added < 20) {
      history.learn(50_000);
      added++;
    }
    expect(added).toBeGreaterThanOrEqual(3);
    expect(added).toBeLessThan(10);
    expect(history.size).toBe(59);
    expect(history.percentileBounds()[94]).toBe(50_000);
  });

  test('misses that are not in a row forget nothing', () => {
    const history = historyOf(500);
    for (let i = 0; i < 20; i++) {
      history.learn(50_000);
      for (let j = 0; j < 30; j++) history.learn(scattered(i * 30 + j));
    }
    expect(history.size).toBe(1000);
  });
});

describe('classes of jobs', () => {
  const twoKinds = (count: number): ClassedWait[] =>
    Array.from({ length: count }, (_, i) =>
      i % 2 === 0
        ? { processors: 2, walltimeSeconds: 600, waitSeconds: scattered(i) / 10 }
        : { processors: 64, walltimeSeconds: 36_000, waitSeconds: 5000 + scattered(i) * 40 },
    );

  test('jobs that wait differently are told apart, and unseen sizes go with their neighbours', () => {
    const classes = findJobClasses(twoKinds(1000), 100);
    expect(classes.count).toBe(2);
    expect(classes.classOf(2, 600)).not.toBe(classes.classOf(64, 36_000));
    expect(classes.classOf(1, 60)).toBe(classes.classOf(2, 600));
    expect(classes.classOf(1000, 1e6)).toBe(classes.classOf(64, 36_000));
  });

  test('jobs that wait alike are not, nor are classes too small', () => {
    const alike = twoKinds(1000).map((wait, i) => ({ ...wait, waitSeconds: scattered(i >> 1) }));
    expect(findJobClasses(alike, 100).count).toBe(1);
    expect(findJobClasses(twoKinds(1000), 501).count).toBe(1);
    expect(findJobClasses([], 1).count).toBe(1);
  });

  test('logs without walltimes are divided by processors alone', () => {
    const classes = findJobClasses(
      twoKinds(1000).map((wait) => ({ ...wait, walltimeSeconds: null })),
      100,
    );
    expect(classes.classOf(2, null)).toBe(classes.classOf(2, 999));
    expect(classes.classOf(2, null)).not.toBe(classes.classOf(64, null));
  });
});

describe('QBETS', () => {
  /** Small jobs backfill within 100 s, large ones wait for hours; every tenth job is large. */
  function trained(): Qbets {
    const qbets = new Qbets({ smallestClass: 200 });
    for (let i = 0; i < 4000; i++) {
      if (i % 10 === 0) qbets.started(record(i, 10_000 + scattered(i) * 20, 64, 36_000));
      else qbets.started(record(i, scattered(i) / 10));
    }
    return qbets;
  }

  test('each class answers for itself', () => {
    const qbets = trained();
    expect(qbets.classCount).toBe(2);
    expect(secondsAtProbability(qbets.predict(query(4, 3600), null, 1e6), 0.95)).toBeLessThan(110);
    expect(secondsAtProbability(qbets.predict(query(64, 36_000), null, 1e6), 0.5)).toBeGreaterThan(15_000);
  });

  test('restored it knows its classes, and others that are made after it begin with one', () => {
    const learned = trained();
    const [restored] = readCheckpoint(writeCheckpoint([learned], {}), [new Qbets({ smallestClass: 200 })]) as [Qbets];
    for (const asked of [query(4, 3600), query(64, 36_000)])
      expect(restored.predict(asked, null, 1e6)).toEqual(learned.predict(asked, null, 1e6));
    expect(new Qbets().classCount).toBe(1);
  });

  test('a class that is short of history answers with the whole site’s', () => {
    const qbets = new Qbets();
    for (let i = 0; i < 100; i++) qbets.started(record(i, (i * 37) % 100));
    const forecast = qbets.predict(query(500, 1e6), null, 1e6);
    expect(forecast.sampleSize).toBe(100);
    expect(forecast.quantileSeconds[49]).toBe(58);
  });

  test('the inverse agrees with the forward bound at every percentile', () => {
    const forecast = trained().predict(query(4, 3600), null, 1e6);
    for (let percent = 1; percent <= 99; percent++) {
      const bound = secondsAtProbability(forecast, percent / 100);
      expect(probabilityToStartWithin(forecast, bound)).toBeGreaterThanOrEqual(percent / 100);
      expect(probabilityToStartWithin(forecast, bound - 1e-6)).toBeLessThan(percent / 100);
    }
  });

  test('the probability to start never falls with the time, is 0 below the first bound and stays below 1', () => {
    const qbets = new Qbets({ smallestClass: 200 });
    for (let i = 0; i < 3000; i++) qbets.started(record(i, scattered(i)));
    const forecast = qbets.predict(query(4, 3600), null, 1e6);
    const probabilities = Array.from({ length: 1200 }, (_, i) => probabilityToStartWithin(forecast, i));
    expect(probabilities).toEqual([...probabilities].sort((a, b) => a - b));
    expect(probabilityToStartWithin(forecast, (forecast.quantileSeconds[0] as number) - 1e-9)).toBe(0);
    expect(probabilityToStartWithin(forecast, 1e9)).toBe(0.99);
    for (const seconds of [100, 500, 900]) {
      const probability = probabilityToStartWithin(forecast, seconds);
      expect(secondsAtProbability(forecast, probability)).toBeLessThanOrEqual(seconds);
      expect(secondsAtProbability(forecast, probability + 0.01)).toBeGreaterThan(seconds);
    }
  });

  test('the history is bounded, and the forecast says on how much it rests and from when', () => {
    const qbets = new Qbets({ capacity: 300 });
    for (let i = 0; i < 2500; i++) qbets.started(record(i, scattered(i)));
    expect(qbets.predict(query(4, 3600), null, 1e6)).toMatchObject({ sampleSize: 300, observedAt: 2499, madeAt: 1e6 });
  });

  test('other parameters are another version', () => {
    expect(new Qbets().version).not.toBe(new Qbets({ confidence: 0.9 }).version);
  });
});
