import fc from 'fast-check';
import { expect, test } from 'vitest';
import { poissonBinomial, probabilityOfAtLeast } from '../../../src/stats/poisson-binomial.ts';

const probability = fc.double({ min: 0, max: 1, noNaN: true });

test('hand-computed: .5, .2 and .9', () => {
  const masses = poissonBinomial([0.5, 0.2, 0.9]);
  [0.04, 0.41, 0.46, 0.09].forEach((mass, k) => {
    expect(masses[k]).toBeCloseTo(mass, 12);
  });
  expect(probabilityOfAtLeast(2, [0.5, 0.2, 0.9])).toBeCloseTo(0.55, 12);
});

test('no trial has no success for sure', () => {
  expect(poissonBinomial([])).toEqual([1]);
  expect(probabilityOfAtLeast(0, [])).toBe(1);
  expect(probabilityOfAtLeast(1, [])).toBe(0);
});

test('masses add up to one, the mean is the sum of the probabilities', () => {
  fc.assert(
    fc.property(fc.array(probability, { maxLength: 30 }), (probabilities) => {
      const masses = poissonBinomial(probabilities);
      expect(masses.reduce((sum, mass) => sum + mass, 0)).toBeCloseTo(1, 9);
      const mean = masses.reduce((sum, mass, k) => sum + k * mass, 0);
      expect(mean).toBeCloseTo(
        probabilities.reduce((sum, p) => sum + p, 0),
        9,
      );
    }),
  );
});

test('enumerating every outcome gives the same', () => {
  fc.assert(
    fc.property(fc.array(probability, { maxLength: 6 }), fc.integer({ min: 0, max: 6 }), (probabilities, least) => {
      let sum = 0;
      for (let outcome = 0; outcome < 2 ** probabilities.length; outcome++) {
        const hits = probabilities.map((_, i) => ((outcome >> i) & 1) === 1);
        if (hits.filter(Boolean).length < least) continue;
        sum += probabilities.reduce((product, p, i) => product * (hits[i] ? p : 1 - p), 1);
      }
      expect(probabilityOfAtLeast(least, probabilities)).toBeCloseTo(sum, 9);
    }),
  );
});
