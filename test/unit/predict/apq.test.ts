import { describe, expect, test } from 'vitest';
import type { StartedRecord } from '../../../src/domain/job.ts';
import type { Snapshot, WaitingJob } from '../../../src/domain/snapshot.ts';
import { Apq } from '../../../src/predict/wait/apq/apq.ts';
import { ApqHistory } from '../../../src/predict/wait/apq/apq-history.ts';
import { areClustered, gaussianAverage, minimiseDeviation } from '../../../src/predict/wait/apq/apq-models.ts';
import { APQ_DEFAULTS } from '../../../src/predict/wait/apq/apq-parameters.ts';
import { apqTargetOf, HISTOGRAM_COUNT } from '../../../src/predict/wait/apq/apq-state.ts';

function waiting(user: string, processors: number, walltime: number, submitAt: number): WaitingJob {
  return { nativeId: 'w', key: null, user, queue: null, processors, requestedWalltimeSeconds: walltime, submitAt };
}

const STATE: Snapshot = {
  observedAt: 1000,
  processors: 64,
  freeProcessors: 40,
  waiting: [waiting('ann', 4, 600, 900), waiting('bob', 16, 3600, 500)],
  running: [{ ...waiting('ann', 8, 1200, 0), startAt: 700 }],
};
const job = { user: 'ann', queue: null, processors: 2, requestedWalltimeSeconds: 60 };

describe('what APQ sees', () => {
  test('the sixteen features of Table II, by hand', () => {
    expect([...apqTargetOf(job, STATE, 0).features]).toEqual([
      2, 60, 20, 4200, 600, 8, 1200, 300, 2400, 4, 600, 1, 9600, 8, 1200, 1,
    ]);
  });

  test('a user without jobs, or without a name, has none; an unknown state is an empty one', () => {
    const ownOf = (user: string | null) => [...apqTargetOf({ ...job, user }, STATE, 0).features].slice(8);
    expect(ownOf('eve')).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    expect(ownOf(null)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    expect([...apqTargetOf(job, null, 0).features].slice(2)).toEqual(new Array(14).fill(0));
  });

  test('six histograms, each of sum 1: with 13 bins of two octaves, sizes 4 and 16 stand in neighbouring ones', () => {
    const bins = 13;
    const { histograms } = apqTargetOf(job, STATE, bins);
    expect(histograms).toHaveLength(HISTOGRAM_COUNT * bins);
    const [sizes, ...others] = [0, 1, 2, 3, 4, 5].map((h) => [...histograms.subarray(h * bins, (h + 1) * bins)]);
    expect(sizes?.slice(0, 4)).toEqual([0, 0.5, 0.5, 0]);
    for (const counts of others) expect(counts.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 6);
    expect(apqTargetOf(job, null, bins).histograms.every((share) => share === 0)).toBe(true);
  });
});

describe('distances', () => {
  const BINS = 13;
  const target = (processors: number, requestedWalltimeSeconds: number) =>
    apqTargetOf({ ...job, user: null, processors, requestedWalltimeSeconds }, null, BINS);

  test('weights are the rank correlations with the wait: the walltime alone tells it here', () => {
    const history = new ApqHistory(10, BINS);
    for (const [walltime, wait] of [
      [0, 1],
      [50, 2],
      [100, 3],
    ] as const)
      history.add(target(4, walltime), wait);
    history.reweigh();
    expect([...history.distancesTo(target(4, 100), 'summary')]).toEqual([1, 0.5, 0]);
    expect([...history.distancesTo(target(4, 100), 'distribution')]).toEqual([1, 0.5, 0]);
  });

  test('sizes are names: another one is as far as any other', () => {
    const history = new ApqHistory(10, BINS);
    for (const size of [1, 2, 3, 64]) history.add(target(size, 0), size);
    history.reweigh();
    expect([...history.distancesTo(target(2, 0), 'summary')]).toEqual([1, 0, 1, 1]);
  });

  test('states of other distributions are farther, up to 1', () => {
    const history = new ApqHistory(10, BINS);
    const busy = { features: target(4, 0).features, histograms: apqTargetOf(job, STATE, BINS).histograms };
    history.add(busy, 100);
    history.add(target(4, 0), 1);
    history.reweigh();
    const [same = 1, other = 0] = history.distancesTo(busy, 'distribution');
    expect(same).toBe(0);
    expect(other).toBeGreaterThan(0.1);
    expect(other).toBeLessThanOrEqual(1);
  });

  test('the nearest come first, all within reach and a few at least, ties by age of their rows', () => {
    const history = new ApqHistory(10, 0);
    const distances = Float64Array.from([0.5, 0.1, 0.3, 0.1, 0.9]);
    for (let i = 0; i < distances.length; i++) history.add(apqTargetOf(job, null, 0), 10 * i);
    const rowsOf = (reach: number, atLeast: number, atMost: number) =>
      history.nearest(distances, reach, atLeast, atMost).map(({ row }) => row);
    expect(rowsOf(0.3, 1, 9)).toEqual([1, 3, 2]);
    expect(rowsOf(0, 4, 9)).toEqual([1, 3, 2, 0]);
    expect(rowsOf(1, 1, 2)).toEqual([1, 3]);
    expect(history.nearest(distances, 0.2, 0, 9)[1]).toEqual({ row: 3, distance: 0.1, waitSeconds: 30 });
  });
});

describe('models', () => {
  const at = (distance: number, waitSeconds: number) => ({ row: 0, distance, waitSeconds });
  const parameters = { ...APQ_DEFAULTS, minPoints: 2, windowWidth: 0.1, maxDistance: 0.3, outlierShare: 0.5 };

  test('dense waits are a cluster; scattered or far ones are not', () => {
    expect(areClustered([at(0.01, 100), at(0.02, 101), at(0.02, 99)], parameters)).toBe(true);
    expect(areClustered([at(0.01, 100), at(0.02, 40_000), at(0.02, 99_000)], parameters)).toBe(false);
    expect(areClustered([at(0.9, 100), at(0.9, 101), at(0.9, 99)], parameters)).toBe(false);
    expect(areClustered([], parameters)).toBe(false);
  });

  test('the window of least deviation is averaged, ties go to the nearer', () => {
    const neighbours = [at(0.01, 0), at(0.02, 500), at(0.11, 40), at(0.12, 42), at(0.25, 7), at(0.26, 9)];
    expect(minimiseDeviation(neighbours, parameters)).toBeCloseTo(41, 1);
    expect(minimiseDeviation([at(0.9, 1), at(0.9, 2)], parameters)).toBeNull();
  });

  test('the Gaussian weight is e^-d^2 (erratum)', () => {
    const [near, far] = [1, Math.exp(-1)];
    expect(gaussianAverage([at(0, 10), at(1, 20)])).toBeCloseTo((10 * near + 20 * far) / (near + far), 12);
  });
});

describe('APQ', () => {
  /** A job's wait is ten minutes for each processor that waits; queues come without pattern. */
  function trained(): Apq {
    const apq = new Apq({ capacity: 1500 });
    for (let i = 0; i < 2400; i++) {
      const submitAt = 10_000 + i * 600;
      const load = ((i * 7919) % 997) % 20;
      apq.observed({
        ...STATE,
        observedAt: submitAt - 5,
        waiting: [waiting('bob', load, 600, submitAt - 50)],
        running: [],
      });
      apq.started(record(i, submitAt, 600 * load));
    }
    return apq;
  }

  function record(i: number, submitAt: number, wait: number): StartedRecord {
    const asked = { nativeId: `${i}`, user: `u${i % 3}`, queue: null, processors: 4, requestedWalltimeSeconds: 600 };
    return { ...asked, submitAt, startAt: submitAt + wait, endAt: null, outcome: null };
  }

  const now = 10_000 + 2400 * 600;
  const query = { queue: null, processors: 4, requestedWalltimeSeconds: 600, user: 'u1', submitAt: now };
  const stateOf = (load: number) => ({
    ...STATE,
    observedAt: now,
    waiting: [waiting('bob', load, 600, now - 50)],
    running: [],
  });

  test('learns that waits go with the processors that wait', () => {
    const apq = trained();
    for (const load of [3, 9, 16]) {
      const forecast = apq.predict(query, stateOf(load), now);
      expect(Math.abs(forecast.pointSeconds - 600 * load)).toBeLessThan(600);
      expect(forecast.quantileSeconds[49]).toBeLessThan(600 * (load + 3));
    }
  });

  test('learns from distributions that waits go with how mixed the queue is', () => {
    const apq = new Apq({ capacity: 1500, statistics: 'distribution', bins: 25 });
    const mixed = (kinds: number, at: number) => ({
      ...STATE,
      observedAt: at,
      waiting: Array.from({ length: 12 }, (_, i) => waiting('bob', 4 ** (i % kinds), 600, at - 50)),
      running: [],
    });
    for (let i = 0; i < 600; i++) {
      const submitAt = 10_000 + i * 600;
      const kinds = 1 + (((i * 7919) % 997) % 4);
      apq.observed(mixed(kinds, submitAt - 5));
      apq.started(record(i, submitAt, 600 * kinds));
    }
    for (const kinds of [1, 2, 4]) {
      const { pointSeconds } = apq.predict(query, mixed(kinds, now), now);
      expect(Math.abs(pointSeconds - 600 * kinds)).toBeLessThan(300);
    }
  });

  test('the same history gives the same forecast', () => {
    expect(trained().predict(query, stateOf(5), now)).toEqual(trained().predict(query, stateOf(5), now));
  });
});
