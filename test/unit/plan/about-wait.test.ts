import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atOnceProbability } from '../../../src/domain/forecast.ts';
import { aboutWaitSeconds } from '../../../src/plan/about-wait.ts';

const percentiles = fc
  .array(fc.integer({ min: 0, max: 200_000 }), { minLength: 99, maxLength: 99 })
  .map((waits) => waits.sort((a, b) => a - b));

test('no other wait is less wrong relatively, as the forecast itself sees it', () => {
  fc.assert(
    fc.property(percentiles, fc.integer({ min: 1, max: 100_000 }), fc.nat(200_000), (waits, runSeconds, other) => {
      const errorOf = (said: number) =>
        waits.reduce((sum, wait) => sum + Math.abs(said - wait) / (wait + runSeconds), 0);
      const about = aboutWaitSeconds({ quantileSeconds: waits }, runSeconds);
      expect(errorOf(about)).toBeLessThanOrEqual(errorOf(other) * (1 + 1e-12));
      expect(about).toBeLessThanOrEqual(waits[49] as number);
    }),
  );
});

test('of a wait that may be any it is unknown, of most that start at once it is nothing', () => {
  const open = Array.from({ length: 99 }, (_, i) => (i < 60 ? i : Number.POSITIVE_INFINITY));
  expect(aboutWaitSeconds({ quantileSeconds: open }, 3600)).toBe(Number.POSITIVE_INFINITY);
  const mostlyNow = Array.from({ length: 99 }, (_, i) => (i < 62 ? 0 : 10_000));
  expect(aboutWaitSeconds({ quantileSeconds: mostlyNow }, 3600)).toBe(0);
  expect(atOnceProbability({ quantileSeconds: mostlyNow })).toBe(0.62);
});
