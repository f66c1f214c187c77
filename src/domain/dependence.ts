/**
 * How the fortunes of two sites go together: the correlation of a Gaussian copula between how late their jobs start,
 * compared with what was forecast, and the interval that holds it with 95 % confidence.
 */
export interface SiteDependence {
  /** Number of spans of time in which both sites had outcomes. */
  readonly pairs: number;
  /** How many independent pairs they are worth, given that one span is like the next. */
  readonly effectivePairs: number;
  readonly correlation: number;
  readonly lowest: number;
  readonly highest: number;
}

/** Nothing was measured, so everything is possible. */
export const UNKNOWN_DEPENDENCE: SiteDependence = {
  pairs: 0,
  effectivePairs: 0,
  correlation: 0,
  lowest: -1,
  highest: 1,
};
