import { expect, test } from 'vitest';
import { reportFailure } from '../../../src/cli/output.ts';
import { CannotStart } from '../../../src/main/cannot-start.ts';
import { explainQueueError } from '../../../src/main/queue-errors.ts';
import { SILENT } from '../../../src/store/database-client.ts';
import { RedisFault } from '../../../src/store/redis-fault.ts';

/** What a command says when it ends by an error. */
function saidOf(error: unknown): string {
  let said = '';
  const write = process.stderr.write;
  process.stderr.write = (text) => {
    said += text;
    return true;
  };
  try {
    reportFailure(error, false);
  } finally {
    process.stderr.write = write;
  }
  return said;
}

test.each([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EAI_AGAIN',
])('a Redis that is out of reach by %s is no database that does not answer', (code) => {
  const said = saidOf(explainQueueError(new RedisFault(`connect ${code} 10.0.0.7:6379`, code, null)));
  expect(said).toMatch(/REDIS_URL: connect .*\n.*check REDIS_URL/);
  expect(said).not.toContain('DATABASE_URL');
});

test('nor is one that takes a connection and says nothing', () => {
  const fault = new RedisFault(SILENT, 'ETIMEDOUT', null);
  expect(saidOf(explainQueueError(fault))).toMatch(/REDIS_URL: /);
  expect(saidOf(fault)).not.toContain('DATABASE_URL');
});

test('a database that is out of reach still is one', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const said = saidOf(new CannotStart('DATABASE_URL: connect ECONNREFUSED', 'check DATABASE_URL', { cause }));
  expect(said).toMatch(/the database does not answer\n.*DATABASE_URL/);
});

test.each([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])('an authority that Node does not know (%s) can be told to it', (code) => {
  const error = explainQueueError(new RedisFault('self-signed certificate in certificate chain', code, null));
  expect((error as CannotStart).remedy).toContain('NODE_EXTRA_CA_CERTS');
});
