import { expect, test } from 'vitest';
import { waitPointSeconds } from '../../../../src/predict/wait/gridcast/wait-point.ts';

test('a point is halfway between two medians, in square roots', () => {
  expect(waitPointSeconds(10, 400)).toBe(225);
  expect(waitPointSeconds(20, 400)).toBe(400);
  expect(waitPointSeconds(0, 0)).toBe(0);
});

test('a point is in whole seconds', () => {
  expect(waitPointSeconds(3, 2)).toBe(5);
});
