import type { Logger } from 'pino';
import { outagesOf, type Store } from './outages.ts';

/**
 * Logs a fault after which the same will be tried again: a warning now and then while a store is away, otherwise an
 * error.
 */
export function logFault(logger: Logger, error: unknown, what: string, facts: object = {}): void {
  if (!outagesOf(logger).note(error, what, facts)) logger.error({ err: error, ...facts }, what);
}

/** Has it logged when a store answers again that was away. @returns what ends that */
export function watchStore(logger: Logger, store: Store, answers: () => Promise<boolean>): () => void {
  return outagesOf(logger).watch(store, answers);
}
