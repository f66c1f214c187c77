import type { KnownRuntime, KnownRuntimes } from './known-runtimes.ts';

/** Runtimes that a job's may be like, and how much each says of it. */
export interface WeightedRuntime {
  readonly runtime: KnownRuntime;
  /** The weights of all together are 1. */
  readonly weight: number;
}

/** Known runtimes of jobs that have something in common with the one asked about. */
export interface Pool {
  readonly known: KnownRuntimes | undefined;
  /** Whether only the relevant ones are looked at. */
  readonly onlyRelevant: boolean;
  /** How much they say when there are many, relative to the other pools. */
  readonly strength: number;
}

/**
 * The runtimes of every pool with their weights. Those of jobs with the same request say more, newer ones more
 * than older ones, and a pool of few says little.
 */
export function weightedRuntimes(pools: readonly Pool[], requestedSeconds: number | null): WeightedRuntime[] {
  const weighted = pools.flatMap(({ known, onlyRelevant, strength }) => {
    const runtimes = (onlyRelevant ? known?.relevant : known?.newest) ?? [];
    return weightsWithin(runtimes, requestedSeconds, (strength * runtimes.length) / (runtimes.length + FEW));
  });
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0);
  return weighted.map(({ runtime, weight }) => ({ runtime, weight: weight / total }));
}

function weightsWithin(
  runtimes: readonly KnownRuntime[],
  requestedSeconds: number | null,
  strength: number,
): WeightedRuntime[] {
  const [slow, fast] = [SLOW_HALVING, FAST_HALVING].map((jobs) => sumOfAges(jobs, runtimes.length)) as [number, number];
  const weighted = runtimes.map((runtime, i) => {
    const age = runtimes.length - 1 - i;
    const recency = 0.5 ** (age / SLOW_HALVING) / slow + 0.5 ** (age / FAST_HALVING) / fast;
    return {
      runtime,
      weight: runtime.requestedWalltimeSeconds === requestedSeconds ? SAME_REQUEST * recency : recency,
    };
  });
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0);
  return weighted.map(({ runtime, weight }) => ({ runtime, weight: (strength * weight) / total }));
}

/** Sum of the weights of so many jobs, each halved over so many. */
function sumOfAges(halving: number, count: number): number {
  const step = 0.5 ** (1 / halving);
  return (1 - step ** count) / (1 - step);
}

/** Jobs after which one says half as much: half of its weight fades slowly, half fast. */
const SLOW_HALVING = 60;
const FAST_HALVING = 4;
const SAME_REQUEST = 5;
/** A pool of so many runtimes says half of what one of very many does. */
const FEW = 4;
