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
 */
export function createForecaster(options: ThreadOptions, onCrash: (error: Error) => void): Forecaster {
  const firstId = MOST_THREADS * randomInt(1, LARGEST_PROCESS);
  const threads = new Threads(
    (index, tellCosts) => startThread({ ...options, threadId: firstId + index }, { tellCosts }, onCrash),
    Math.min(options.threads ?? 1, MOST_THREADS),
    (error) => process.stderr.write(`the sites could not be spread over threads: ${error.message}\n`),
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
