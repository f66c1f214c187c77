import { Rejected } from '../../src/domain/failures.ts';

/**
 * Checks that a queue is one name, into which no command reads a list, a pattern or an option.
 * @throws Rejected otherwise; nothing has happened
 */
export function assertPlainQueue(queue: string | null): void {
  if (queue === null || /^[A-Za-z0-9_][\w.@-]*$/.test(queue)) return;
  throw new Rejected(`queue ${JSON.stringify(queue)} is not the name of one queue: letters, digits and _.@- only`);
}
