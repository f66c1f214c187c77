import { expect, test } from 'vitest';
import { LeastWrongPoint } from '../../../../src/predict/io/least-wrong-point.ts';

const SAID = { guess: 1, middle: 2, trees: 3 };

test('the guess is said until another way has been less wrong, and again when that has been more wrong', () => {
  const points = new LeastWrongPoint();
  expect(points.best(SAID)).toBe(1);
  for (let job = 0; job < 5; job++) points.learn(SAID, 3.1);
  expect(points.best(SAID)).toBe(3);
  for (let job = 0; job < 400; job++) points.learn(SAID, 1);
  expect(points.best(SAID)).toBe(1);
});

test('an error counts by its share of the amount, so that one that is out by powers of ten is an error like others', () => {
  const points = new LeastWrongPoint();
  for (let job = 0; job < 10; job++) points.learn({ guess: 0, middle: 0.5, trees: 9 }, 0);
  points.learn({ guess: 50, middle: 0.5, trees: 9 }, 0);
  expect(points.best(SAID)).toBe(1);
});
