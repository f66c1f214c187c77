import { describe, expect, test } from 'vitest';
import { probabilityToStartWithin } from '../../../../src/domain/forecast.ts';
import { type Look, RecentPace } from '../../../../src/predict/range/recent-pace.ts';
import { RandomStream } from '../../../../src/sim/random.ts';

const HOUR = 3600;
const STEP = 300;
const MEAN_SECONDS = 2 * HOUR;

/** Waits that end in every moment alike, two hours in the mean, as percentiles 1..99. */
const FORECAST = Array.from({ length: 99 }, (_, i) => -MEAN_SECONDS * Math.log(1 - (i + 1) / 100));

interface Job {
  readonly submitAt: number;
  readonly waitSeconds: number;
  /** That it starts within two hours and a half, as said at its submission. */
  readonly raw: number;
  readonly corrected: number;
}

const WITHIN_SECONDS = 2.5 * HOUR;

/**
 * Looks every five minutes at jobs that come one with each look and wait `slower` times as long as forecast; none
 * starts after `standsFrom`.
 */
function watched(
  hours: number,
  slower: number,
  standsFrom = Number.POSITIVE_INFINITY,
): { pace: RecentPace; jobs: Job[] } {
  const random = new RandomStream(7);
  const pace = new RecentPace();
  const jobs: Job[] = [];
  let open: Job[] = [];
  for (let at = 0; at < hours * HOUR; at += STEP) {
    const looks: Look[] = open.map(({ submitAt, waitSeconds }) => {
      const seen = { quantileSeconds: FORECAST, toSeconds: at - submitAt, isOver: submitAt + waitSeconds <= at };
      return { ...seen, fromSeconds: at - submitAt === STEP ? null : at - submitAt - STEP };
    });
    pace.learn(at, looks);
    open = open.filter(({ submitAt, waitSeconds }) => submitAt + waitSeconds > at);
    const drawn = -MEAN_SECONDS * slower * Math.log(1 - random.uniform());
    const waitSeconds = at + drawn > standsFrom ? Number.POSITIVE_INFINITY : drawn;
    const probability = (quantileSeconds: readonly number[]) =>
      probabilityToStartWithin({ quantileSeconds }, WITHIN_SECONDS);
    const said = { raw: probability(FORECAST), corrected: probability(pace.corrected(FORECAST)) };
    const job = { submitAt: at, waitSeconds, ...said };
    jobs.push(job);
    open.push(job);
  }
  return { pace, jobs };
}

/** How far the share kept lies below what was said, in standard errors of what was said. */
function shortfall(jobs: readonly Job[], said: (job: Job) => number): number {
  const promised = jobs.reduce((sum, job) => sum + said(job), 0) / jobs.length;
  const kept = jobs.filter(({ waitSeconds }) => waitSeconds <= WITHIN_SECONDS).length / jobs.length;
  return (promised - kept) / Math.sqrt((promised * (1 - promised)) / jobs.length);
}

describe('the pace of the last hours', () => {
  test('from the second day on what is said at the present pace comes true, what was learned does not', () => {
    const { jobs } = watched(72, 4);
    const later = jobs.filter(({ submitAt }) => submitAt >= 24 * HOUR);
    expect(shortfall(later, ({ raw }) => raw)).toBeGreaterThan(5);
    expect(shortfall(later, ({ corrected }) => corrected)).toBeLessThan(2);
  });

  test('a queue that comes to a stand is noticed within four hours, before any job has started', () => {
    const { pace } = watched(28, 1, 24 * HOUR);
    expect(pace.lateness).toBeGreaterThan(2);
  });

  test('waits as forecast hardly change what is said, and are never late', () => {
    const { jobs, pace } = watched(72, 1);
    const mean = (of: (job: Job) => number) => jobs.reduce((sum, job) => sum + of(job), 0) / jobs.length;
    expect(mean(({ raw }) => raw) - mean(({ corrected }) => corrected)).toBeLessThan(0.03);
    expect(pace.lateness).toBe(1);
  });

  test('it is forgotten within a day and a half once waits are as forecast again', () => {
    const slow = watched(24, 8).pace;
    expect(slow.lateness).toBeGreaterThan(2);
    slow.learn(60 * HOUR, []);
    expect(slow.lateness).toBe(1);
  });

  test('never says sooner than the forecast, and keeps the order of percentiles', () => {
    const { pace } = watched(24, 4);
    const corrected = pace.corrected(FORECAST);
    expect(corrected).toHaveLength(99);
    corrected.forEach((seconds, i) => {
      expect(seconds).toBeGreaterThanOrEqual((FORECAST[i] as number) - 1e-6);
      expect(seconds).toBeGreaterThanOrEqual(corrected[i - 1] ?? 0);
    });
    const unknown = Array.from({ length: 99 }, (_, i) => (i < 40 ? 0 : Number.POSITIVE_INFINITY));
    expect(pace.corrected(unknown).at(-1)).toBe(Number.POSITIVE_INFINITY);
    expect(pace.corrected(unknown).some(Number.isNaN)).toBe(false);
  });
});
