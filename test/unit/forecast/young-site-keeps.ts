import { expect, test } from 'vitest';
import { livedWith } from './promises-of-young-sites.ts';

/** A young site promises no more than it keeps. */
export function youngSiteKeeps(processors: number): void {
  test(`a site of ${processors} processors known for ten minutes keeps as many promises as it says`, () => {
    const { count, promised, kept, twoErrors } = livedWith([processors], 42, [1, 2, 3, 4, 5, 6, 7, 8]);
    expect(count).toBeGreaterThan(150);
    expect(promised).toBeGreaterThan(0.5);
    expect(kept).toBeGreaterThan(promised - twoErrors);
  });
}
