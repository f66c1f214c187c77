import { expect, test } from 'vitest';
import { type ForecastOutcome, latenessOf, measureDependence } from '../../../src/predict/dependence.ts';
import { RandomStream } from '../../../src/sim/random.ts';
import { normalProbability } from '../../../src/stats/normal-probability.ts';
import { normalQuantile } from '../../../src/stats/normal-quantile.ts';

/** Outcomes at two sites, one of each every six hours, whose lateness has a Gaussian copula of this correlation. */
function outcomes(correlation: number, count: number): [ForecastOutcome[], ForecastOutcome[]] {
  const random = new RandomStream(7);
  const normal = () => normalQuantile(Math.min(1 - 1e-9, Math.max(1e-9, random.uniform())));
  const [a, b]: [ForecastOutcome[], ForecastOutcome[]] = [[], []];
  for (let i = 0; i < count; i++) {
    const common = normal();
    const other = correlation * common + Math.sqrt(1 - correlation ** 2) * normal();
    a.push({ at: i * 21_600 + 100, lateness: normalProbability(common) });
    b.push({ at: i * 21_600 + 9000, lateness: normalProbability(other) ** 3 });
  }
  return [a, b];
}

test.each([-0.6, 0, 0.3, 0.8])('finds a correlation of %f, whatever the margins', (correlation) => {
  const [a, b] = outcomes(correlation, 2000);
  const measured = measureDependence(a, b);
  expect(measured.pairs).toBe(2000);
  expect(measured.correlation).toBeCloseTo(correlation, 1);
  expect(measured.lowest).toBeLessThan(correlation);
  expect(measured.highest).toBeGreaterThan(correlation);
  expect(measured.highest - measured.lowest).toBeLessThan(0.12);
});

test('few pairs tell nothing', () => {
  expect(measureDependence(...outcomes(0.5, 9))).toMatchObject({ pairs: 9, lowest: -1, highest: 1 });
});

test('spans without an outcome at either site are left out', () => {
  const [a, b] = outcomes(0.5, 100);
  const half = b.filter(({ at }) => Math.floor(at / 21_600) % 2 === 0);
  expect(measureDependence(a, half).pairs).toBe(50);
});

test('slow swings at both sites are worth few independent pairs', () => {
  const swing = (at: number) => (Math.sin(at / 500_000) + 1) / 2;
  const slow = Array.from({ length: 400 }, (_, i) => ({ at: i * 21_600, lateness: swing(i * 21_600) }));
  const measured = measureDependence(slow, slow);
  expect(measured.effectivePairs).toBeLessThan(20);
});

test('a job is as late as the share of its forecast that it exceeded; one given up is beyond the time it had', () => {
  const forecast = { quantileSeconds: Array.from({ length: 99 }, (_, i) => 10 * (i + 1)) };
  expect(latenessOf(forecast, 500, null)).toBe(0.5);
  expect(latenessOf(forecast, 5, 700)).toBe(0);
  expect(latenessOf(forecast, null, 600)).toBeCloseTo(0.8, 9);
  expect(latenessOf(forecast, null, null)).toBeNull();
});
