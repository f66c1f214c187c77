import { Rejected } from '../../src/domain/failures.ts';

const PREFIX = 'gridcast.';
/** What every batch system takes in a job's name: it looks into none of it. */
const PLAIN = /^[A-Za-z0-9][\w.-]{0,79}$/;

/**
 * The name under which a job bears its submission key at sites that show a job's name in queue and accounting and have
 * no comment.
 * @throws Rejected when a batch system might read something into the key
 */
export function jobNameOf(key: string): string {
  if (PLAIN.test(key)) return PREFIX + key;
  throw new Rejected(`submission key ${JSON.stringify(key)} must consist of at most 80 letters, digits and _.-`);
}

/** The submission key in a job's name; null for a job that was not submitted under one. */
export function keyOfJobName(name: string | null): string | null {
  return name?.startsWith(PREFIX) ? name.slice(PREFIX.length) : null;
}
