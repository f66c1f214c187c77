import { test } from 'vitest';
import { seeds } from '../../hours.ts';
import { surviveCrashes } from './fault-matrix.ts';

test('a worker may die at any point of a submission', { timeout: 240_000 }, () => surviveCrashes(seeds(1, 1)));
