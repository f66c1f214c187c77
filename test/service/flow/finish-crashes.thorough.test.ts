import { test } from 'vitest';
import { seeds } from '../../hours.ts';
import { finishAmidFaults } from './finish-crashes.ts';

test('moves for deadlines survive sites and workers that fail together', { timeout: 240_000 }, () =>
  finishAmidFaults(seeds(1, 1)),
);
