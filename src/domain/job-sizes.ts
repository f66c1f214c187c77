/**
 * How much faster a job runs on more processors. `AMDAHL`: a share of its work on one processor, from 0 to 1, never
 * runs in parallel; Amdahl 1967, AFIPS 30. `DOWNEY`: its parallelism is `averageParallelism` (A, at least 1) on
 * average, and varies by `sigma` (from 0, the ideal, on); Downey 1997, A model for speedup of parallel programs,
 * UCB/CSD-97-933.
 */
export type SpeedupModel =
  | { readonly kind: 'AMDAHL'; readonly serialShare: number }
  | { readonly kind: 'DOWNEY'; readonly averageParallelism: number; readonly sigma: number };

export const SPEEDUP_MODELS = ['AMDAHL', 'DOWNEY'] as const satisfies readonly SpeedupModel['kind'][];

/** Sizes that a job may be run at, beside the one that it is stated for. */
export interface SizeChoice {
  /** Ascending, each once. */
  readonly processors: readonly number[];
  /** Those of the tenant's own ended jobs at a site, too. */
  readonly fromHistory: boolean;
  /** How its runtime depends on its size; null where only history tells. */
  readonly speedup: SpeedupModel | null;
}

/** Most sizes of one request, the stated one included. */
export const MOST_SIZES = 16;

/** What the tenant's own jobs of one size that completed at a site a short while ago were like. */
export interface OwnSize {
  readonly processors: number;
  /** How many there were. */
  readonly jobs: number;
  /** In the middle of them. */
  readonly medianRunSeconds: number;
  /** The longest that they asked for. */
  readonly longestWalltimeSeconds: number;
  /** Whose jobs the site takes them for; null where it does not say. */
  readonly user: string | null;
}
