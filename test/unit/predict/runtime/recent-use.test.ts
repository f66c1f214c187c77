import { expect, test } from 'vitest';
import type { EndedRecord } from '../../../../src/domain/job.ts';
import { GridcastRuntime } from '../../../../src/predict/runtime/gridcast.ts';
import { RecentUse } from '../../../../src/predict/runtime/recent-use.ts';

function ended(index: number, requestedWalltimeSeconds: number | null): EndedRecord {
  const startAt = index * 1000;
  const request = { user: 'ada', queue: 'batch', processors: 4, requestedWalltimeSeconds };
  const moments = { submitAt: startAt - 60, startAt, endAt: startAt + 600 };
  return { ...request, ...moments, nativeId: String(index), outcome: 'COMPLETED' } as EndedRecord;
}

test('a job whose walltime nobody requests is compared with those that requested one', () => {
  const predictor = new RecentUse();
  for (let index = 0; index < 50; index++) predictor.ended(ended(index, 3600));
  const request = { user: 'ada', queue: 'batch', processors: 4 };
  const unrequested = predictor.predict({ ...request, requestedWalltimeSeconds: null }, null, 0);
  expect(unrequested).toMatchObject({ sampleSize: 50 });
  expect(unrequested.pointSeconds).toBeCloseTo(600, 6);
  const requested = predictor.predict({ ...request, requestedWalltimeSeconds: 3600 }, null, 0);
  expect(requested.pointSeconds).toBeCloseTo(600, 6);
});

test('of jobs that requested nothing nothing is known of those that do', () => {
  const predictor = new RecentUse();
  for (let index = 0; index < 50; index++) predictor.ended(ended(index, null));
  const request = { user: 'ada', queue: 'batch', processors: 4 };
  expect(predictor.predict({ ...request, requestedWalltimeSeconds: null }, null, 0).pointSeconds).toBeCloseTo(600, 6);
  expect(predictor.predict({ ...request, requestedWalltimeSeconds: 3600 }, null, 0).sampleSize).toBe(0);
});

test('shares of walltimes say nothing of a job that requests none', () => {
  const predictor = new GridcastRuntime();
  for (let index = 0; index < 600; index++) {
    const record = ended(index, 3600);
    predictor.submitted(record);
    predictor.ended(record);
  }
  const request = { user: 'ada', queue: 'batch', processors: 4 };
  const { pointSeconds } = predictor.predict({ ...request, requestedWalltimeSeconds: null }, null, 601_000);
  expect(pointSeconds).toBeGreaterThan(500);
  expect(pointSeconds).toBeLessThan(700);
});
