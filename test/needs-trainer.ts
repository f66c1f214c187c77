import { beforeEach } from 'vitest';
import { whyUntrainable } from '../src/training/supply.ts';

/** Skips the tests around its call, and says why, where networks cannot be taught: the package for it is optional. */
export function needsTrainer(): void {
  const why = whyUntrainable();
  if (why !== null) beforeEach(({ skip }) => skip(why));
}
