import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import { runCli } from './run-cli.ts';

afterEach(() => vi.unstubAllEnvs());

/** The address of the test's server with something else in it. */
function addressWith(change: (url: URL) => void): string {
  const url = new URL(inject('templateUrl'));
  change(url);
  return url.href;
}

const FAULTS = [
  [
    'a database that there is not',
    addressWithPath('/nowhere'),
    'DATABASE_URL: database "nowhere" does not exist',
    'run `gridcast migrate`, which makes it, or name another one',
  ],
  [
    'a wrong password',
    (url: URL) => {
      url.password = 'wrong';
    },
    'DATABASE_URL: password authentication failed for user',
    'check user and password in DATABASE_URL',
  ],
  [
    'TLS that the server does not speak',
    (url: URL) => {
      url.search = `${url.search}&sslmode=require`;
    },
    'DATABASE_URL: The server does not support SSL connections',
    'check DATABASE_URL',
  ],
] as const;

function addressWithPath(path: string) {
  return (url: URL) => {
    url.pathname = path;
  };
}

describe.each([[['token', 'list']], [['worker']], [['serve']]])('gridcast %j', (words) => {
  test.each(FAULTS)('says what is wrong with DATABASE_URL: %s', async (_what, change, message, remedy) => {
    vi.stubEnv('DATABASE_URL', addressWith(change));
    const said = await runCli(...words, '--json');
    expect(said.exitCode).toBe(1);
    const { error } = said.json();
    expect(error.message).toContain(message);
    expect(error.remedy).toBe(remedy);
  });
});
