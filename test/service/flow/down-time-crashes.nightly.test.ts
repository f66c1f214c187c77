import { test } from 'vitest';
import { forHours, seeds } from '../../hours.ts';
import { moveAmidFaults, moveWithDeaths } from './down-time-crashes.ts';

test('a worker may die at any point of a move', { timeout: 3_600_000 }, () => moveWithDeaths(forHours ? 1 : 5));

test('moves survive sites and workers that fail together, whatever the seed', { timeout: 3_600_000 }, () =>
  moveAmidFaults(seeds(2, forHours ? 40 : 2)),
);
