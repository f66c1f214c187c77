import { expect, test } from 'vitest';
import type { JobRecord } from '../../../src/domain/job.ts';
import { supposedShares, WalltimeUse } from '../../../src/forecast/walltime-use.ts';
import { computeTrajectory } from '../../../src/plan/trajectory.ts';
import { forecastOf } from '../plan/forecast-fixture.ts';

function record(ranSeconds: number | null, requestedWalltimeSeconds: number | null = 1000): JobRecord {
  const endAt = ranSeconds === null ? null : 100 + ranSeconds;
  const outcome = endAt === null ? null : 'COMPLETED';
  const size = { user: 'a', queue: null, processors: 1, requestedWalltimeSeconds };
  return { nativeId: '1', ...size, submitAt: 0, startAt: 100, endAt, outcome };
}

function useOf(records: readonly JobRecord[]): WalltimeUse {
  const use = new WalltimeUse();
  for (const one of records) use.add(one);
  return use;
}

test('the whole walltime is supposed until ten jobs have ended', () => {
  expect(useOf(Array.from({ length: 9 }, () => record(100))).shares).toEqual([1]);
  expect(useOf(Array.from({ length: 10 }, () => record(100))).shares).toEqual(Array(10).fill(0.1));
});

test('jobs that run, and those without a walltime, tell nothing', () => {
  const silent = Array.from({ length: 20 }, (_, n) => (n % 2 ? record(null) : record(100, null)));
  expect(useOf(silent).shares).toEqual([1]);
});

test('ten slices of those that ended last, in order, none above the whole', () => {
  const old = Array.from({ length: 50 }, () => record(10));
  const spread = Array.from({ length: 200 }, (_, n) => record((n + 1) * 6));
  const { shares } = useOf([...old, ...spread]);
  expect(shares).toHaveLength(10);
  expect(shares[0]).toBeCloseTo(0.066);
  expect(shares[4]).toBeCloseTo(0.546);
  expect(shares.at(-1)).toBe(1);
});

test('a job that holds nothing is not promised to run when its like would have ended by then', () => {
  const base = {
    walltimeSeconds: 1000,
    startAt: 5000,
    holdUntilAt: null,
    earliestSubmitAt: 0,
    maxWalltimeSeconds: null,
    forecastAt: () => forecastOf(() => 0),
  };
  const at = (walltimeShares: readonly number[], submitAt: number) =>
    computeTrajectory({ ...base, walltimeShares }).find((point) => point.submitAt === submitAt)?.probability;
  expect(at([1], 4470)).toBe(0.99);
  expect(at([0.1, 1], 4470)).toBeCloseTo(0.5, 1);
  expect(at([0.1, 1], 4950)).toBe(0.99);
  const held = computeTrajectory({ ...base, holdUntilAt: 5000, walltimeShares: [0, 0.1] });
  expect(held.every(({ probability }) => probability === 0.99)).toBe(true);
});

test("work of which nothing is known uses no more than the site's jobs, and may be over at any time", () => {
  const anyTime = [0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95];
  expect(supposedShares([1])).toEqual([0.05, ...anyTime.slice(1)]);
  expect(supposedShares(Array(10).fill(1))).toEqual(anyTime);
  expect(supposedShares(Array(10).fill(0.3))).toEqual([...anyTime.slice(0, 3), ...Array(7).fill(0.3)]);
});
