import { randomInt } from 'node:crypto';
import { MOST_THREADS } from '../domain/ownership.ts';
import { ThreadQuestions } from './ask-thread.ts';
import type { Forecaster } from './forecaster.ts';
import { startThread } from './start-thread.ts';
import { predictorsOf, type ThreadOptions } from './thread-options.ts';
import { Threads } from './threads.ts';

const LARGEST_PROCESS = 2 ** 31 / MOST_THREADS;

/**
 * Starts the threads that forecast: one, and others when there is work for them. Of several processes one learns each
 * site, and the others read what it has learned.
 * @param onCrash called when a thread dies; the process is of no use without it
 * @param warn told what went wrong, and why, that they go on after
 */
export function createForecaster(
  options: ThreadOptions,
  onCrash: (error: Error) => void,
  warn: (what: string, reason: string) => void = () => undefined,
): Forecaster {
  const firstId = MOST_THREADS * randomInt(1, LARGEST_PROCESS);
  const threads = new Threads(
    (index, tellCosts) => startThread({ ...options, threadId: firstId + index }, { tellCosts, warn }, onCrash),
    Math.min(options.threads ?? 1, MOST_THREADS),
    (error) => warn('the sites could not be spread over threads', error.message),
  );
  const questions = new ThreadQuestions(threads);
  return {
    predictors: predictorsOf(options),
    ...questions.askedBy(),
    askedBy: (asker) => questions.askedBy(asker),
    state: () => threads.state(),
    stateOf: (siteId) => threads.stateOf(siteId),
    close: () => threads.end(),
  };
}
