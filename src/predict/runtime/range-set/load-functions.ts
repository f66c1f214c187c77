import { linearRegression, mean } from 'simple-statistics';
import { dbscan } from '../../../stats/dbscan.ts';
import { longestChain } from '../../../stats/longest-chain.ts';
import type { KnownRuntime } from './known-runtimes.ts';

/** How long jobs of one kind run, as a linear function of the load while they do. */
export interface LoadFunction {
  /** Seconds on an idle machine. */
  readonly atRestSeconds: number;
  /** Seconds more on a machine that is wholly in use; not below 0. */
  readonly rise: number;
}

/**
 * The load functions of kinds of jobs, the most frequent kinds first; kinds of too few jobs, or of jobs that ran at
 * nearly the same loads, have none. Source: hariharan-end-to-end-predictions, section III-B.
 */
export function loadFunctions(kinds: Iterable<readonly KnownRuntime[]>): LoadFunction[] {
  return [...kinds]
    .filter((kind) => kind.length >= LEAST_JOBS)
    .sort((a, b) => b.length - a.length)
    .slice(0, MOST_KINDS)
    .flatMap((kind) => loadFunctionOf(kind) ?? []);
}

/** How long jobs run at a load; at least a second. */
export function secondsAt({ atRestSeconds, rise }: LoadFunction, load: number): number {
  return Math.max(1, atRestSeconds + rise * load);
}

function loadFunctionOf(kind: readonly KnownRuntime[]): LoadFunction | null {
  const loads = kind.map(({ load }) => load);
  if (Math.max(...loads) - Math.min(...loads) < LEAST_LOAD_SPREAD) return null;
  const averages = Array.from({ length: LOAD_BINS }, (_, bin) => kind.filter(({ load }) => binOf(load) === bin))
    .map(averageOf)
    .filter((average) => average !== null);
  const chain = longestChain(
    averages.map(({ seconds }) => seconds),
    LARGEST_STEP,
  ).map((index) => averages[index] as Average);
  if (chain.length < 2) return null;
  const { m, b } = linearRegression(chain.map(({ load, seconds }) => [load, seconds]));
  return Number.isFinite(m) && Number.isFinite(b) ? { atRestSeconds: b, rise: Math.max(0, m) } : null;
}

interface Average {
  readonly load: number;
  readonly seconds: number;
}

/** The averages of the largest close cluster of the runtimes in a load bin; null when there is none. */
function averageOf(bin: readonly KnownRuntime[]): Average | null {
  const logs = bin.map(({ seconds }) => Math.log1p(seconds));
  const zeros = new Float64Array(logs.length);
  const labels = dbscan(logs, zeros, CLOSE, Math.min(2, bin.length));
  const sizes = new Map<number, number>();
  for (const label of labels) if (label >= 0) sizes.set(label, (sizes.get(label) ?? 0) + 1);
  const [largest] = [...sizes].sort((a, b) => b[1] - a[1]);
  if (!largest) return null;
  const cluster = bin.filter((_, i) => labels[i] === largest[0]);
  return { load: mean(cluster.map(({ load }) => load)), seconds: mean(cluster.map(({ seconds }) => seconds)) };
}

function binOf(load: number): number {
  return Math.min(LOAD_BINS - 1, Math.max(0, Math.floor(load * LOAD_BINS)));
}

/** k, l, m and X of the paper. */
const MOST_KINDS = 25;
const LEAST_JOBS = 10;
const LEAST_LOAD_SPREAD = 0.5;
const LARGEST_STEP = 0.5;
const LOAD_BINS = 20;
/** Runtimes within a fifth of each other are close. */
const CLOSE = Math.log(1.2);
