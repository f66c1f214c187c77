import { test } from 'vitest';
import { seeds } from '../../hours.ts';
import { moveAmidFaults, moveWithDeaths } from './down-time-crashes.ts';

test('a worker may die at the beginning of a move, and when its site has cancelled', { timeout: 240_000 }, () =>
  moveWithDeaths(Number.POSITIVE_INFINITY),
);

test('moves survive sites and workers that fail together', { timeout: 240_000 }, () => moveAmidFaults(seeds(1, 1)));
