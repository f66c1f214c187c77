import { Rejected } from '../../../src/domain/failures.ts';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';

/** A site that has at most so many of our jobs at a time, and refuses each one more with these words. */
export function takingAtMost(most: number, words: string) {
  let refused = 0;
  const adapter = (plain: SiteAdapter): SiteAdapter => ({
    ...plain,
    async submit(spec, key) {
      const { waiting, running } = await plain.snapshot();
      const own = [...waiting, ...running].filter((job) => job.key !== null).length;
      if (own < most) return plain.submit(spec, key);
      refused++;
      throw new Rejected('refused', words);
    },
  });
  return { adapter, refused: () => refused };
}
