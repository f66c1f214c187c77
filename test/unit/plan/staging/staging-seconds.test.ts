import { expect, test } from 'vitest';
import type { CandidateSite, PlanRequest } from '../../../../src/domain/plan.ts';
import { optionsOf } from '../../../../src/plan/job/options.ts';
import { stagingSeconds } from '../../../../src/plan/staging/staging-seconds.ts';

const FILES = [
  { from: 'https://a/b', to: 'b', bytes: 1000 },
  { from: 'https://a/c', to: 'c' },
];
const staging = { in: FILES, out: [{ from: 'o', to: 'https://a/o' }], folder: 'REMOVE' } as const;
const site = (over: Partial<CandidateSite> = {}): CandidateSite => {
  const known = { queues: [], state: 'ACTIVE', processors: 8, observedAt: 0 } as const;
  return { siteId: 'elm', name: 'elm', ...known, ...over };
};

test('moving takes a second for each file that goes in, and its bytes at the rate of the site', () => {
  expect(stagingSeconds({ staging }, site({ stagedBytesPerSecond: 100 }))).toBe(12);
  expect(stagingSeconds({ staging }, site())).toBeCloseTo(2.00005);
  expect(stagingSeconds({}, site())).toBe(0);
});

test('a plan counts on handing a job in where its files are there by then', () => {
  const request: PlanRequest = { processors: 1, walltimeSeconds: 60, queue: null, deadlineAt: null, staging };
  const sites = [site({ stagedBytesPerSecond: 100 }), site({ siteId: 'oak', stagedBytesPerSecond: 1 })];
  expect(optionsOf(request, sites, 5000).map(({ submitAt }) => submitAt)).toEqual([5012, 6002]);
  const { staging: _staging, ...plain } = request;
  expect(optionsOf(plain, sites, 5000).map(({ submitAt }) => submitAt)).toEqual([5000, 5000]);
});
