import { formatExactSeconds } from '../../domain/duration.ts';
import { probabilityToStartWithin, type RuntimeForecast, secondsAtProbability } from '../../domain/forecast.ts';

/** A walltime that the forecast of a runtime advises. */
export interface AdvisedWalltime {
  /** Whole minutes; null where too little is known. */
  readonly walltimeSeconds: number | null;
  /** Probability that the job would run longer, by the forecast; null where there is no advice. */
  readonly killedProbability: number | null;
  /** Why there is none, or why more is risked than was stated; null otherwise. */
  readonly because: string | null;
}

/** What bounds a walltime from above. */
export interface WalltimeBounds {
  /** The walltime that is asked for otherwise; null where that is not known. */
  readonly requestedSeconds: number | null;
  /** That the queue accepts at most; null for any. */
  readonly limitSeconds: number | null;
}

/** Risks that a walltime may be asked for. */
export const LEAST_RISK = 0.005;
export const LARGEST_RISK = 0.5;

/**
 * The shortest walltime, in whole minutes, that a job outlasts with at most that probability, within its bounds. Below
 * a risk of 1 %, beyond the last percentile, runtimes are taken to thin out by a power of their length, as between the
 * last two. Where a bound leaves less than that, what it risks is said, and which bound it is.
 * @param risk from `LEAST_RISK` to `LARGEST_RISK`
 */
export function walltimeAtRisk(
  runtime: Pick<RuntimeForecast, 'quantileSeconds' | 'sampleSize'>,
  risk: number,
  { requestedSeconds, limitSeconds }: WalltimeBounds,
): AdvisedWalltime {
  const { sampleSize } = runtime;
  if (sampleSize === 0) return unadvised('nothing is known of how long such jobs run');
  const isTold = sampleSize >= FEWEST_ALIKE;
  const outlasted = isTold ? outlastedWith(risk, runtime.quantileSeconds) : Number.POSITIVE_INFINITY;
  const unknown = `${few(sampleSize)} too few to tell a walltime at ${percentOf(risk)} risk`;
  if (!Number.isFinite(outlasted) && requestedSeconds === null) return unadvised(unknown);
  const needed = Math.max(1, Math.ceil(outlasted / MINUTE - ROUNDING)) * MINUTE;
  const requested = Math.min(needed, requestedSeconds ?? needed);
  const walltimeSeconds = Math.min(requested, limitSeconds ?? requested);
  const outlasting = 1 - probabilityToStartWithin(runtime, walltimeSeconds);
  if (walltimeSeconds >= outlasted - ROUNDING) {
    return { walltimeSeconds, killedProbability: Math.min(risk, outlasting), because: null };
  }
  const most = formatExactSeconds(walltimeSeconds);
  const bound = walltimeSeconds < requested ? `the queue allows ${most}` : `at most ${most} is asked for`;
  const need = Number.isFinite(needed) ? `${percentOf(risk)} risk needs ${formatExactSeconds(needed)}` : unknown;
  return { walltimeSeconds, killedProbability: outlasting, because: `${bound}, ${need}` };
}

/** A share as people read it. */
export function percentOf(share: number): string {
  return `${Number((share * 100).toFixed(2))} %`;
}

function few(sampleSize: number): string {
  const count = Math.round(sampleSize);
  return count === 1 ? '1 known runtime like it is' : `${count} known runtimes like it are`;
}

function unadvised(because: string): AdvisedWalltime {
  return { walltimeSeconds: null, killedProbability: null, because };
}

function outlastedWith(risk: number, quantileSeconds: readonly number[]): number {
  if (risk >= 0.01) return secondsAtProbability({ quantileSeconds }, 1 - risk);
  const [last2 = Number.POSITIVE_INFINITY, last = Number.POSITIVE_INFINITY] = quantileSeconds.slice(-2);
  if (!Number.isFinite(last) || last2 <= 0) return last;
  return Math.max(last, Math.min(LONGEST_SECONDS, last * (last / last2) ** Math.log2(0.01 / risk)));
}

/**
 * The least size of what a forecast rests on, in whole runs alike. Below it walltimes killed up to seven times as many
 * as they said; from there on about as many at most.
 */
const FEWEST_ALIKE = 1.5;
const MINUTE = 60;
/** No runtime is taken to be longer, however few are known. */
const LONGEST_SECONDS = 366 * 86_400;
/** Of a minute: no forecast is exact to less. */
const ROUNDING = 1e-6;
