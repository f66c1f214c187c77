import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextLookAt } from '../../../src/domain/next-look.ts';

const SITES = Array.from({ length: 1000 }, (_, i) => `site-${i}`);
const INTERVAL_SECONDS = 60;

test('sites that are registered together are soon looked at evenly, each once an interval', () => {
  const looks = SITES.map((site) => {
    let at = 1_800_000_000;
    for (let i = 0; i < 20; i++) at = nextLookAt(site, at, INTERVAL_SECONDS);
    return [at, nextLookAt(site, at, INTERVAL_SECONDS)] as const;
  });
  const inEachSecond = new Array<number>(INTERVAL_SECONDS).fill(0);
  for (const [at] of looks) {
    const second = Math.floor(at % INTERVAL_SECONDS);
    inEachSecond[second] = (inEachSecond[second] as number) + 1;
  }
  expect(Math.max(...inEachSecond), 'seventeen a second, give or take four at random').toBeLessThan(40);
  for (const [at, next] of looks) expect(next - at).toBeCloseTo(INTERVAL_SECONDS, 3);
});

test('a look is put off or brought forward by a twentieth at most', () => {
  fc.assert(
    fc.property(
      fc.uuid(),
      fc.double({ min: 0, max: 4e9, noNaN: true }),
      fc.integer({ min: 1, max: 86_400 }),
      (site, at, interval) => {
        const gap = nextLookAt(site, at, interval) - at;
        expect(Math.abs(gap - interval)).toBeLessThanOrEqual(0.05 * interval + 1e-6);
      },
    ),
  );
});
