import { afterEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '../../../src/store/database.ts';
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
  [
    'a schema that the tables are not in',
    (url: URL) => {
      url.search = `${url.search}&schema=elsewhere`;
    },
    'DATABASE_URL: schema=elsewhere: the tables are in the schema public, always',
    'leave schema out; a database of its own keeps Gridcast apart from others',
  ],
  [
    'a search_path that leads elsewhere',
    (url: URL) => {
      url.search = `${url.search}&options=-c%20search_path%3Delsewhere`;
    },
    'DATABASE_URL: the search_path elsewhere does not lead to the schema public',
    'have it lead there, as by ALTER ROLE ... RESET search_path, or without options in DATABASE_URL',
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

test('gridcast migrate refuses a database that cannot hold every character, before it makes a table', async () => {
  const admin = openDatabase(inject('templateUrl'), 1);
  const name = `latin_${process.pid}`;
  await admin.db.$executeRawUnsafe(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
  onTestFinished(async () => {
    await admin.db.$executeRawUnsafe(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.close();
  });
  vi.stubEnv('DATABASE_URL', addressWith(addressWithPath(`/${name}`)));
  const said = await runCli('migrate', '--json');
  expect(said.exitCode).toBe(1);
  expect(said.json().error.message).toBe(
    'DATABASE_URL: the database is encoded in LATIN1, which has not every character',
  );
});
