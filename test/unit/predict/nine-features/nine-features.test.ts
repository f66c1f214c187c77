import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EndedRecord, JobRequest } from '../../../../src/domain/job.ts';
import { learnForest, learnNeighbours, learnTree } from '../../../../src/predict/baseline/nine-features/methods.ts';
import { NineFeatures } from '../../../../src/predict/baseline/nine-features/nine-features.ts';
import { RUNTIME, WRITTEN_BYTES } from '../../../../src/predict/quantities.ts';
import { createPredictor } from '../../../../src/predict/registry.ts';

const ANN: JobRequest = { user: 'ann', queue: 'batch', processors: 4, requestedWalltimeSeconds: 7200 };
const PROGRAM = { name: 'a', script: '#!/bin/sh\n', arguments: [], workFolder: '/home/ann' };

test('texts are numbered as they are first learned, of untold ones -1, of unknown ones the next number', () => {
  const features = new NineFeatures();
  expect([...features.learn(ANN)]).toEqual([2, 4, 4, 0, -1, -1, -1, -1, -1]);
  const bob = { ...ANN, user: 'bob', requestedWalltimeSeconds: null, program: PROGRAM, group: 'g', account: 'x' };
  expect([...features.learn(bob)]).toEqual([-1, 4, 4, 1, 0, 0, 0, 0, 0]);
  expect([...features.of({ ...ANN, user: 'eve' })]).toEqual([2, 4, 4, 2, -1, -1, -1, -1, -1]);
  expect([...features.of({ ...ANN, user: 'fay' })]).toEqual([2, 4, 4, 2, -1, -1, -1, -1, -1]);
});

const rowsOf = (...values: number[][]) => values.map((row) => Float64Array.from(row));

test('a tree to the end gives back what it learned wherever rows can be told apart, means where not', () => {
  const rows = fc.array(fc.tuple(fc.nat(5), fc.nat(5), fc.nat(1000)), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(rows, (drawn) => {
      const learned = learnTree(
        rowsOf(...drawn.map(([a, b]) => [a, b])),
        Float64Array.from(drawn, ([, , t]) => t),
      );
      for (const [a, b] of drawn) {
        const same = drawn.filter(([c, d]) => c === a && d === b).map(([, , target]) => target);
        const mean = same.reduce((sum, target) => sum + target, 0) / same.length;
        expect(learned(Float64Array.of(a, b))).toBeCloseTo(mean, 6);
      }
    }),
  );
});

test('a tree splits half way, on the feature that says most', () => {
  const learned = learnTree(rowsOf([0, 7], [1, 3], [10, 7], [11, 3]), Float64Array.of(5, 5, 50, 50));
  expect([learned(Float64Array.of(5, 3)), learned(Float64Array.of(6, 7))]).toEqual([5, 50]);
});

test('a forest stays within what it learned, is the same every time, and is smoother than a tree', () => {
  const rows = rowsOf(...Array.from({ length: 80 }, (_, i) => [i, i % 3]));
  const targets = Float64Array.from(rows, ([i = 0]) => (i < 40 ? 100 : 200) + ((i * 37) % 11));
  const [forest, again] = [learnForest(20)(rows, targets), learnForest(20)(rows, targets)];
  for (const row of rows) {
    expect(forest(row)).toBe(again(row));
    expect(forest(row)).toBeGreaterThanOrEqual(100);
    expect(forest(row)).toBeLessThanOrEqual(211);
  }
  expect(forest(Float64Array.of(-5, 0))).toBeLessThan(112);
  expect(rows.filter((row, i) => forest(row) !== targets[i]).length).toBeGreaterThan(20);
});

test('neighbours: the mean of the nearest', () => {
  const learned = learnNeighbours(2)(rowsOf([0], [1], [10], [100]), Float64Array.of(1, 3, 5, 1000));
  expect(learned(Float64Array.of(0.4))).toBe(2);
  expect(learnNeighbours(5)(rowsOf([0]), Float64Array.of(7))(Float64Array.of(3))).toBe(7);
});

function ended(i: number, user: string, seconds: number): EndedRecord {
  const use = { cpuSeconds: null, memoryBytes: null, readBytes: null, writtenBytes: 10 * seconds };
  const times = { submitAt: i, startAt: i, endAt: i + seconds };
  return { nativeId: `${i}`, ...ANN, user, ...times, outcome: 'COMPLETED', use };
}

test.each([
  'baseline/random-forest',
  'baseline/decision-tree',
  'baseline/nearest-neighbours',
])('%s learns after every 100 submissions from the last 500 jobs that ended, of each quantity', (name) => {
  const [runtime, written] = [createPredictor(RUNTIME, name), createPredictor(WRITTEN_BYTES, name)];
  const pointOf = () => runtime.predict(ANN, null, 1e6).pointSeconds;
  const live = (from: number, count: number, seconds: number) => {
    for (let i = from; i < from + count; i++) {
      for (const one of [runtime, written]) {
        one.ended?.(ended(2 * i, 'ann', seconds));
        one.ended?.(ended(2 * i + 1, 'bob', 9 * seconds));
        one.submitted?.({ nativeId: `${i}`, ...ANN, submitAt: i });
      }
    }
  };
  live(0, 160, 100);
  expect(pointOf()).toBeCloseTo(100, 6);
  live(160, 99, 700);
  expect(pointOf()).toBeCloseTo(100, 6);
  live(259, 250, 700);
  expect(pointOf()).toBeCloseTo(700, 6);
  expect(written.predict(ANN, null, 1e6).pointBytes).toBeCloseTo(7000, 4);
});

test("baseline/user-last-runtime: as long as the user's last job, of an unknown user as the last one", () => {
  const predictor = createPredictor(RUNTIME, 'baseline/user-last-runtime');
  for (let i = 0; i < 40; i += 2) {
    predictor.ended?.(ended(i, 'ann', 50));
    predictor.ended?.(ended(i + 1, 'bob', 90));
  }
  const pointOf = (user: string) => predictor.predict({ ...ANN, user }, null, 1e6).pointSeconds;
  expect([pointOf('ann'), pointOf('eve')]).toEqual([50, 90]);
});
