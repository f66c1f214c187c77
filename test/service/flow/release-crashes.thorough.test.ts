import { test } from 'vitest';
import { releaseWithDeaths } from './release-crashes.ts';

test('a worker may die at the beginning of a release, and when its site has cancelled', { timeout: 240_000 }, () =>
  releaseWithDeaths(Number.POSITIVE_INFINITY),
);
