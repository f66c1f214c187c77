import { expect, test } from 'vitest';
import { benchTrajectories } from '../../../src/experiment/bench/bench-trajectories.ts';

test('says what share of a core the recomputation takes', () => {
  let milliseconds = 0;
  const [row] = benchTrajectories(['baseline/median'], 10, { readMilliseconds: () => (milliseconds += 3000) });
  expect(row).toMatchObject({
    name: 'baseline/median',
    reservations: 10,
    cpuSeconds: 3,
    perSecond: 3,
    percentOfCore: 1,
  });
  expect(row?.points).toBeGreaterThan(1000);
});
