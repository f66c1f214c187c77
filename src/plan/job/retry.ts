import { formatExactSeconds } from '../../domain/duration.ts';
import type { RuntimeForecast } from '../../domain/forecast.ts';
import { type JobResources, MEMORY_REQUESTS } from '../../domain/resources.ts';
import type { RetryOutcome, RetryPolicy } from '../../domain/retry.ts';
import { runtimeSoFar } from '../../domain/runtime-so-far.ts';

/** A try that has ended. */
export interface EndedTry {
  readonly outcome: string;
  /** From 1. */
  readonly number: number;
  /** That it was given. */
  readonly walltimeSeconds: number;
  readonly resources: JobResources | undefined;
  /** What was forecast of its runtime; null where nothing was. */
  readonly runtime: Pick<RuntimeForecast, 'pointSeconds' | 'quantileSeconds'> | null;
  /** The longest walltime of its queue; null for any. */
  readonly queueWalltimeSeconds: number | null;
}

/** What the next try asks for, and why; or why there is none, null where its policy does not speak of such an end. */
export type NextTry =
  | {
      readonly again: true;
      readonly walltimeSeconds: number;
      readonly resources: JobResources | undefined;
      readonly reason: string;
    }
  | { readonly again: false; readonly reason: string | null };

/**
 * Whether a job is run again after a try that has ended. What its site took away comes again as it was; one that its
 * walltime killed gets a longer one, by what is forecast of the runtimes of those that run that long; one that ran out
 * of memory gets more.
 */
export function nextTry(policy: RetryPolicy, ended: EndedTry): NextTry {
  const { number, outcome, walltimeSeconds, resources } = ended;
  if (!isRetried(policy, outcome)) return { again: false, reason: null };
  if (number >= policy.mostTries) return over(`it was run ${number} times, as often as its retry policy allows`);
  const same = { walltimeSeconds, resources };
  if (outcome === 'TIMEOUT') return withMoreTime(policy, ended);
  if (outcome === 'OUT_OF_MEMORY') return withMoreMemory(policy, ended);
  return again(ended, policy, same, 'as it was');
}

function withMoreTime(policy: RetryPolicy, ended: EndedTry): NextTry {
  const { walltimeSeconds: killedAt, queueWalltimeSeconds, resources } = ended;
  const most = Math.min(
    policy.walltimeAtMostSeconds ?? Number.POSITIVE_INFINITY,
    queueWalltimeSeconds ?? Number.POSITIVE_INFINITY,
  );
  if (most <= killedAt) return over(`its walltime of ${formatExactSeconds(killedAt)} is as long as is allowed`);
  const walltimeSeconds = Math.min(most, longerThan(ended));
  const more = `with a walltime of ${formatExactSeconds(walltimeSeconds)} after ${formatExactSeconds(killedAt)}`;
  return again(ended, policy, { walltimeSeconds, resources }, more);
}

/**
 * The runtime that nine in ten stay below of those that run longer than the walltime; twice that where nobody knows.
 */
function longerThan({ walltimeSeconds, runtime }: EndedTry): number {
  const known = runtime && runtimeSoFar(runtime, walltimeSeconds, null).quantileSeconds[LEVEL - 1];
  const likely = known !== null && known !== undefined && Number.isFinite(known) ? known : 2 * walltimeSeconds;
  const longer = Math.max(likely, LEAST_GROWTH * walltimeSeconds);
  return Math.ceil(longer / MINUTE_SECONDS) * MINUTE_SECONDS;
}

function withMoreMemory(policy: RetryPolicy, ended: EndedTry): NextTry {
  const { resources, walltimeSeconds } = ended;
  const field = MEMORY_REQUESTS.find((name) => resources?.[name] !== undefined);
  const before = field && resources?.[field];
  if (field === undefined || before === undefined) return over('it states no memory of which it could ask for more');
  const most = policy.memoryAtMostMebibytes ?? Number.POSITIVE_INFINITY;
  const after = Math.min(most, LARGEST_MEBIBYTES, Math.ceil(before * policy.memoryFactor));
  if (after <= before) return over(`its memory of ${before} MiB is as much as is allowed`);
  const more = { walltimeSeconds, resources: { ...resources, [field]: after } };
  return again(ended, policy, more, `with ${after} MiB of memory after ${before} MiB`);
}

function again(
  { outcome, number }: EndedTry,
  { mostTries }: RetryPolicy,
  asks: { walltimeSeconds: number; resources: JobResources | undefined },
  how: string,
): NextTry {
  return {
    again: true,
    ...asks,
    reason: `its site says ${outcome}; it is run again ${how} (${number + 1} of ${mostTries})`,
  };
}

function over(reason: string): NextTry {
  return { again: false, reason };
}

function isRetried({ on }: RetryPolicy, outcome: string): boolean {
  return on.includes(outcome as RetryOutcome);
}

/** In percent. */
const LEVEL = 90;
const LEAST_GROWTH = 1.25;
const MINUTE_SECONDS = 60;
const LARGEST_MEBIBYTES = 2 ** 31 - 1;
