import { test } from 'vitest';
import { seeds } from '../../hours.ts';
import { moveAmidFaults } from './down-time-crashes.ts';

test('moves survive sites and workers that fail together', { timeout: 240_000 }, () => moveAmidFaults(seeds(1, 1)));
