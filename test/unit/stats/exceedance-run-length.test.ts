import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { expect, test } from 'vitest';
import { exceedanceRunLength } from '../../../src/stats/exceedance-run-length.ts';
import { normalQuantile } from '../../../src/stats/normal-quantile.ts';

test('independent values: three in a row above the .95 quantile, as .05 squared is .0025', () => {
  expect(exceedanceRunLength(0, 0.95, 0.0025)).toBe(3);
  expect(exceedanceRunLength(0, 0.5, 0.2)).toBe(4);
});

test('the more the neighbours correlate the longer the run, and negative correlation counts as none', () => {
  const lengths = [0, 0.2, 0.4, 0.6, 0.8, 0.9].map((rho) => exceedanceRunLength(rho, 0.95, 0.0025));
  expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
  expect(lengths[5]).toBeGreaterThan(lengths[0] as number);
  expect(exceedanceRunLength(-0.5, 0.95, 0.0025)).toBe(3);
});

test('a simulated series exceeds for as long about as rarely as said', () => {
  const [rho, quantile, rareness] = [0.7, 0.9, 0.02];
  const length = exceedanceRunLength(rho, quantile, rareness);
  const generator = xoroshiro128plus(42);
  const threshold = normalQuantile(quantile);
  let [value, run, longEnough, shortEnough, exceedances] = [0, 0, 0, 0, 0];
  for (let i = 0; i < 400_000; i++) {
    value = rho * value + Math.sqrt(1 - rho * rho) * normalQuantile(uniformFloat64(generator));
    run = value > threshold ? run + 1 : 0;
    if (value > threshold) exceedances++;
    if (run >= length) longEnough++;
    if (run >= length - 1) shortEnough++;
  }
  expect(longEnough / exceedances).toBeLessThan(rareness * 1.15);
  expect(shortEnough / exceedances).toBeGreaterThan(rareness * 0.85);
});
