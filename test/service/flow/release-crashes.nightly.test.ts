import { test } from 'vitest';
import { forHours } from '../../hours.ts';
import { releaseWithDeaths } from './release-crashes.ts';

test('a worker may die at any point of a release', { timeout: 3_600_000 }, () => releaseWithDeaths(forHours ? 1 : 4));
