import type { Logger } from 'pino';
import { isDatabaseAway } from './database-away.ts';

/**
 * Logs a fault after which the same will be tried again: a warning when only PostgreSQL is away, otherwise an error.
 */
export function logFault(logger: Logger, error: unknown, what: string, facts: object = {}): void {
  if (isDatabaseAway(error)) logger.warn({ err: error, ...facts }, `${what}: the database is away`);
  else logger.error({ err: error, ...facts }, what);
}
