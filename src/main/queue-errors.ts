import { isWithoutQueues } from '../flow/queue-store.ts';
import { RedisFault } from '../store/redis-fault.ts';
import { CannotStart } from './cannot-start.ts';

/** What an error of opening the queues means to whoever chose where they are; other errors as they are. */
export function explainQueueError(error: unknown): unknown {
  if (isWithoutQueues(error)) {
    return new CannotStart('the database lacks the tables of the queues', 'run `gridcast migrate`', { cause: error });
  }
  if (!(error instanceof RedisFault)) return error;
  const remedy = REMEDIES.get(error.code) ?? 'check REDIS_URL, and whether Redis runs there';
  return new CannotStart(`REDIS_URL: ${error.message}`, remedy, { cause: error });
}

/** Of Redis: a wrong password, one that is missing, and a user who may not do what is asked. */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  ['WRONGPASS', 'check user and password in REDIS_URL'],
  ['NOAUTH', 'check user and password in REDIS_URL'],
  ['NOPERM', 'let that user call it, as by `ACL SETUSER name +info`; queues need every key, too'],
]);
