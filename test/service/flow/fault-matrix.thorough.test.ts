import { test } from 'vitest';
import { forHours, seeds } from '../../hours.ts';
import { surviveCrashes } from './fault-matrix.ts';

test('a worker may die at any point of a submission, whatever the seed', { timeout: 3_600_000 }, () =>
  surviveCrashes(seeds(2, forHours ? 60 : 3)),
);
