import { type JobResources, MEMORY_REQUESTS } from '../../domain/resources.ts';
import { LARGEST_MEMORY_FACTOR, MOST_TRIES, RETRY_OUTCOMES, type RetryPolicy } from '../../domain/retry.ts';
import type { NewExecution } from '../../store/executions.ts';
import type { Limits } from '../carry-out/context.ts';
import type { FaultList } from './faults.ts';
import { checkWhole } from './work-input.ts';

/** A job as far as it says whether it is run again. */
export interface RetriedInput {
  readonly retry?: RetryPolicy;
  readonly walltimeSeconds: number;
  readonly resources?: JobResources | undefined;
  readonly auto?: unknown;
  readonly finishBy?: unknown;
  readonly startAfter?: unknown;
}

/** Adds what is wrong with a retry policy. What is promised, or waits at a gate, is run once. */
export function checkRetry(faults: FaultList, input: RetriedInput, { maxWalltimeSeconds }: Limits): void {
  const { retry, walltimeSeconds, auto, resources } = input;
  if (!retry) return;
  const at = 'input.retry';
  const others = retry.on.filter((end) => !RETRY_OUTCOMES.includes(end));
  const known = `after ${others.join(', ')} nothing is run again; give some of ${RETRY_OUTCOMES.join(', ')}`;
  faults.require(others.length === 0, `${at}.on`, known);
  faults.require(retry.on.length > 0, `${at}.on`, 'on names no end; say after which it is to be run again');
  faults.require(new Set(retry.on).size === retry.on.length, `${at}.on`, 'on names an end twice; name each once');
  const isMemoryKnown = MEMORY_REQUESTS.some((name) => resources?.[name] !== undefined);
  const memory = `after OUT_OF_MEMORY more memory is asked for, and none is stated; give ${MEMORY_REQUESTS.join(' or ')} in resources, or leave OUT_OF_MEMORY out`;
  faults.require(isMemoryKnown || !retry.on.includes('OUT_OF_MEMORY'), `${at}.on`, memory);
  const { mostTries, walltimeAtMostSeconds, memoryAtMostMebibytes, memoryFactor } = retry;
  checkWhole(faults, mostTries, `${at}.attempts`, MOST_TRIES);
  faults.require(mostTries > 1, `${at}.attempts`, 'attempts counts the first one, too: 2 or more, or leave retry out');
  if (walltimeAtMostSeconds !== null) {
    const field = `${at}.walltimeAtMostSeconds`;
    checkWhole(faults, walltimeAtMostSeconds, field, maxWalltimeSeconds);
    const less = `walltimeAtMostSeconds is ${walltimeAtMostSeconds} and the walltime itself ${walltimeSeconds}; allow more`;
    faults.require(auto !== undefined || walltimeAtMostSeconds >= walltimeSeconds, field, less);
  }
  if (memoryAtMostMebibytes !== null) {
    checkWhole(faults, memoryAtMostMebibytes, `${at}.memoryAtMostMebibytes`, LARGEST_MEBIBYTES);
  }
  const isFactor = memoryFactor > 1 && memoryFactor <= LARGEST_MEMORY_FACTOR;
  const factor = `memoryFactor must be above 1 and at most ${LARGEST_MEMORY_FACTOR}, got ${memoryFactor}`;
  faults.require(isFactor, `${at}.memoryFactor`, factor);
  const once = 'what is promised to finish in time, or started right after another job, is run once; leave one out';
  faults.require(!input.finishBy && !input.startAfter, at, once);
}

/** When it is run again, as it is written down. */
export function retryColumns({ retry }: Pick<RetriedInput, 'retry'>): Partial<NewExecution> {
  if (!retry) return {};
  return {
    retryOn: retry.on,
    mostTries: retry.mostTries,
    retryWalltimeAtMostSeconds: retry.walltimeAtMostSeconds,
    retryMemoryAtMostMebibytes: retry.memoryAtMostMebibytes,
    retryMemoryFactor: retry.memoryFactor,
  };
}

const LARGEST_MEBIBYTES = 2 ** 31 - 1;
