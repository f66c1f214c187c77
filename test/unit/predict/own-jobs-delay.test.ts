import { expect, test } from 'vitest';
import type { Snapshot, WaitingJob } from '../../../src/domain/snapshot.ts';
import { delayed, OwnJobsDelay } from '../../../src/predict/wait/own-jobs-delay.ts';

function job(nativeId: string, processors: number, requestedWalltimeSeconds: number): WaitingJob {
  return { nativeId, key: null, user: null, queue: null, processors, requestedWalltimeSeconds, submitAt: 900 };
}

const running = [{ ...job('1', 4, 600), startAt: 700 }];
const site: Snapshot = { observedAt: 1000, processors: 8, freeProcessors: 4, waiting: [], running };
const asked = { queue: null, user: null, processors: 4, requestedWalltimeSeconds: 900, submitAt: 1000 };
const withOwn = (...waiting: WaitingJob[]) => new OwnJobsDelay({ ...site, waiting }, site);

test('a job that fits beside those on their way is not delayed, one that does not waits for what ends first', () => {
  expect(withOwn(job('own', 2, 900)).secondsFor({ ...asked, processors: 2 })).toBe(0);
  expect(withOwn(job('own', 4, 900)).secondsFor(asked)).toBe(300);
  expect(withOwn(job('own', 4, 900), job('other', 4, 900)).secondsFor(asked)).toBe(900);
});

test('only what they add to a wait counts, and nothing for a job that never fits', () => {
  expect(withOwn(job('own', 1, 200)).secondsFor({ ...asked, processors: 8 })).toBe(0);
  expect(withOwn(job('own', 1, 900)).secondsFor({ ...asked, processors: 8 })).toBe(600);
  expect(withOwn(job('own', 4, 900)).secondsFor({ ...asked, processors: 16 })).toBe(0);
});

test('a forecast that knows of the delay is left as it is', () => {
  const forecast = (pointSeconds: number) => {
    const quantileSeconds = [pointSeconds, Number.POSITIVE_INFINITY];
    return { predictor: 'p', version: '1', madeAt: 0, observedAt: 0, sampleSize: 1, pointSeconds, quantileSeconds };
  };
  expect(delayed(forecast(10), forecast(10), 300)).toMatchObject({ pointSeconds: 310, delaySeconds: 300 });
  expect(delayed(forecast(400), forecast(10), 300)).toMatchObject({ pointSeconds: 400 });
  expect(delayed(forecast(10), forecast(10), 300).quantileSeconds).toEqual([310, Number.POSITIVE_INFINITY]);
});
