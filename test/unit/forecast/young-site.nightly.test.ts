import { expect, test } from 'vitest';
import { livedWith } from './promises-of-young-sites.ts';
import { youngSiteKeeps } from './young-site-keeps.ts';

youngSiteKeeps(32);

test('five such sites keep as many as they say, though the one that promises too much is asked most', () => {
  const { asked, count, promised, kept, twoErrors } = livedWith([16, 32, 16, 16, 16], 11, [1, 2, 4]);
  expect(count).toBeGreaterThan(asked / 2);
  expect(promised).toBeGreaterThan(0.5);
  expect(kept).toBeGreaterThan(promised - twoErrors);
});
