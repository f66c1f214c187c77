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

const ONE_SIDED_TLS =
  'check REDIS_URL, and whether Redis runs there; one that speaks TLS wants rediss://, one that does not redis://';
const UNKNOWN_AUTHORITY =
  'have Node know who signed that certificate: set NODE_EXTRA_CA_CERTS to a file with the certificate of your authority';

/**
 * Of Redis: a wrong password, one that is missing, and a user who may not do what is asked. Of the way to it: a
 * certificate of nobody whom Node knows, and a connection that is taken and cut.
 */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  ['WRONGPASS', 'check user and password in REDIS_URL'],
  ['NOAUTH', 'check user and password in REDIS_URL'],
  ['NOPERM', 'let that user call it, as by `ACL SETUSER name +info`; queues need every key, too'],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNKNOWN_AUTHORITY],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', UNKNOWN_AUTHORITY],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNKNOWN_AUTHORITY],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNKNOWN_AUTHORITY],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'name the host in REDIS_URL as its certificate does'],
  ['ECONNRESET', ONE_SIDED_TLS],
  ['ETIMEDOUT', ONE_SIDED_TLS],
  ['ERR', 'check the database number at the end of REDIS_URL; a Redis has 16 unless `databases` in its file says more'],
]);
