import { expect, test } from 'vitest';
import { livedWith } from './promises-of-young-sites.ts';

test.each([16, 32])('a site of %i processors known for ten minutes keeps as many promises as it says', {
  timeout: 60_000,
}, (processors) => {
  const { count, promised, kept, twoErrors } = livedWith([processors], 42, [1, 2, 3, 4, 5, 6, 7, 8]);
  expect(count).toBeGreaterThan(150);
  expect(promised).toBeGreaterThan(0.5);
  expect(kept).toBeGreaterThan(promised - twoErrors);
});
