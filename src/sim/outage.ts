import type { EpochSeconds } from '../domain/clock.ts';

/**
 * Something the machine suffers at a moment: `drain` starts nothing more, `down` also kills what runs (`NODE_FAIL`),
 * `resume` takes up work again, `resize` is left with `processors` of them (node loss or repair; jobs on lost ones
 * die).
 */
export type Outage =
  | { readonly at: EpochSeconds; readonly kind: 'drain' | 'down' | 'resume' }
  | { readonly at: EpochSeconds; readonly kind: 'resize'; readonly processors: number };
