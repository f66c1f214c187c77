import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isotonic } from '../../../src/stats/isotonic.ts';

describe('isotonic regression', () => {
  test.each([
    { given: [], fitted: [] },
    { given: [1, 2, 2, 5], fitted: [1, 2, 2, 5] },
    { given: [3, 1], fitted: [2, 2] },
    { given: [1, 4, 3, 2, 6], fitted: [1, 3, 3, 3, 6] },
    { given: [9, 1, 1, 5, 4], fitted: [11 / 3, 11 / 3, 11 / 3, 4.5, 4.5] },
  ])('by hand: $given', ({ given, fitted }) => {
    const found = isotonic(Float64Array.from(given));
    expect(found).toHaveLength(fitted.length);
    fitted.forEach((value, i) => {
      expect(found[i]).toBeCloseTo(value, 12);
    });
  });

  test('as scikit-learn 1.2.1, IsotonicRegression, of sin(i) + i / 5 for i = 0..9', () => {
    const found = isotonic(Float64Array.from({ length: 10 }, (_, i) => Math.sin(i) + i / 5));
    EXPECTED.forEach((value, i) => {
      expect(found[i]).toBeCloseTo(value, 6);
    });
  });

  test('never falls, keeps the mean, and is nearer than the running maximum', () => {
    const values = fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(values, (given) => {
        const fitted = isotonic(Float64Array.from(given));
        const distanceTo = (other: ArrayLike<number>) =>
          given.reduce((sum, value, i) => sum + (value - (other[i] as number)) ** 2, 0);
        const maxima = given.map((_, i) => Math.max(...given.slice(0, i + 1)));
        fitted.forEach((value, i) => {
          expect(value).toBeGreaterThanOrEqual((fitted[i - 1] ?? Number.NEGATIVE_INFINITY) - 1e-12);
        });
        expect(fitted.reduce((a, b) => a + b)).toBeCloseTo(
          given.reduce((a, b) => a + b),
          8,
        );
        expect(distanceTo(fitted)).toBeLessThanOrEqual(distanceTo(maxima) + 1e-9);
      }),
    );
  });
});

const EXPECTED = [0.0, 0.635232, 0.635232, 0.635232, 0.635232, 0.635232, 0.920585, 2.056987, 2.400738, 2.400738];
