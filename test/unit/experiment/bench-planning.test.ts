import { expect, test } from 'vitest';
import { benchPlanning } from '../../../src/experiment/bench/bench-planning.ts';

test('counts the options of every plan and says what half and nearly all of them take', () => {
  let milliseconds = 0;
  const cases = [
    { sites: 2, sizes: 3, barMilliseconds: 50 },
    { sites: 1, sizes: 1 },
  ];
  // Every reading of the clock is 3 ms after the one before: two to the end of a plan, of which one compares.
  const rows = benchPlanning({ cases, plans: 12, jobs: 60 }, { readMilliseconds: () => (milliseconds += 3) });
  const took = { plans: 12, p50Milliseconds: 6, p99Milliseconds: 6, comparingPercent: 50 };
  expect(rows).toEqual([
    { name: '2 sites x 3 sizes', sites: 2, sizes: 3, options: 6, ...took, barMilliseconds: 50 },
    { name: '1 sites x 1 sizes', sites: 1, sizes: 1, options: 1, ...took },
  ]);
});
