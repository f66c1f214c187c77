import { test } from 'vitest';
import { forHours, seeds } from '../../hours.ts';
import { finishAmidFaults, finishWithDeaths } from './finish-crashes.ts';

test('a worker may die at any point of a move for a deadline', { timeout: 3_600_000 }, () =>
  finishWithDeaths(forHours ? 1 : 5),
);

test(
  'moves for deadlines survive sites and workers that fail together, whatever the seed',
  { timeout: 3_600_000 },
  () => finishAmidFaults(seeds(2, forHours ? 40 : 2)),
);
