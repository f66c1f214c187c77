import { expect, test } from 'vitest';
import type { EndedRecord, JobRequest } from '../../../src/domain/job.ts';
import type { RuntimePredictor } from '../../../src/predict/predictor.ts';
import { RUNTIME } from '../../../src/predict/quantities.ts';
import { createPredictor } from '../../../src/predict/registry.ts';

const ANN: JobRequest = { user: 'ann', queue: 'batch', processors: 4, requestedWalltimeSeconds: 1000 };

function ran(seconds: number, job: JobRequest = ANN, outcome: EndedRecord['outcome'] = 'COMPLETED'): EndedRecord {
  return { nativeId: '1', ...job, submitAt: 0, startAt: 100, endAt: 100 + seconds, outcome };
}

function told(name: string, ...records: readonly EndedRecord[]): RuntimePredictor {
  const predictor = createPredictor(RUNTIME, name);
  for (const record of records) predictor.ended?.(record);
  return predictor;
}

const pointOf = (predictor: RuntimePredictor, job = ANN) => predictor.predict(job, null, 1e6).pointSeconds;

test('Alea: the request times the largest share of the last five, however they ended', () => {
  const shares = [0.9, 0.1, 0.2, 0.3, 0.2, 0.1].map((share) => ran(1000 * share, ANN, 'FAILED'));
  expect(pointOf(told('baseline/alea', ...shares))).toBeCloseTo(300, 9);
  expect(pointOf(told('baseline/alea', ...shares), { ...ANN, requestedWalltimeSeconds: 10 })).toBeCloseTo(3, 9);
  expect(pointOf(told('baseline/alea', ...shares), { ...ANN, requestedWalltimeSeconds: null })).toBe(Infinity);
  expect(pointOf(told('baseline/alea'), { ...ANN, user: 'new' })).toBe(1000);
});

test('Tsafrir: the mean of the last two, at most the request', () => {
  const predictor = told('baseline/last-two', ran(900), ran(100), ran(300));
  expect(pointOf(predictor)).toBe(200);
  expect(pointOf(predictor, { ...ANN, requestedWalltimeSeconds: 150 })).toBe(150);
});

test('min-max: one range from the shortest to the longest of the same user, size and queue', () => {
  const other = { ...ANN, processors: 8 };
  const predictor = told('baseline/min-max', ran(100), ran(700), ran(5000, other), ran(300));
  expect(predictor.predict(ANN, null, 1e6).ranges).toEqual([{ fromSeconds: 100, toSeconds: 700, probability: 1 }]);
  expect(pointOf(predictor)).toBe(400);
  expect(predictor.predict({ ...ANN, user: 'new' }, null, 1e6).ranges).toEqual([]);
});

test('Smith: the mean of the category whose mean is known best', () => {
  const sizes = [1, 16].flatMap((processors) => [ran(processors * 100, { ...ANN, processors })]);
  const predictor = told('baseline/smith', ...sizes, ran(500), ran(502), ran(498), ...sizes);
  expect(pointOf(predictor)).toBeCloseTo(500, 9);
});

test('Li: the nearest weigh most', () => {
  const bob = { ...ANN, user: 'bob', processors: 64, requestedWalltimeSeconds: 9000 };
  const predictor = told('baseline/li', ran(500), ran(8000, bob), ran(520));
  expect(pointOf(predictor)).toBeCloseTo(510, 0);
  expect(pointOf(predictor, bob)).toBeCloseTo(8000, 0);
});

test('a rule has the spread of its own recent ratios around its point', () => {
  const records = Array.from({ length: 200 }, (_, i) => ran(10 * ((i % 100) + 0.5)));
  const { quantileSeconds, sampleSize } = told('baseline/requested', ...records).predict(ANN, null, 1e6);
  expect(quantileSeconds[49]).toBeCloseTo(500, -1.5);
  expect(quantileSeconds[89]).toBeCloseTo(900, -1.5);
  expect(sampleSize).toBe(200);
});
