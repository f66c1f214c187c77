import { expect, test } from 'vitest';
import { readConfig } from '../../../src/main/config.ts';
import { createLogger } from '../../../src/main/logger.ts';

const PASSWORD = 'brandNEWpw789';

/** What is logged, by a process whose Redis has a password. */
function logged(fields: object): string {
  const lines: string[] = [];
  const environment = {
    DATABASE_URL: 'postgresql://gridcast:secret%2Fword1@127.0.0.1:1/gridcast',
    REDIS_URL: `redis://:${PASSWORD}@127.0.0.1:1`,
    GRIDCAST_METRICS_TOKEN: 'a-token-"for"-metrics',
  };
  createLogger(readConfig(environment), 'worker', { write: (line: string) => void lines.push(line) }).warn(fields);
  return lines.join('');
}

/** As ioredis makes them. */
function refused(args: unknown[], name: string): Error {
  return Object.assign(new Error('WRONGPASS invalid username-password pair'), { command: { name, args } });
}

test.each([
  ['itself', (error: Error) => error],
  ['in a field', (error: Error) => Object.assign(new Error('outer'), { lastNodeError: error })],
  ['among others', (error: Error) => new AggregateError([error])],
  ['as a cause', (error: Error) => new Error('outer', { cause: error })],
])('of a command that failed nothing but its name is logged: %s', (_, wrap) => {
  const hello = logged({ err: wrap(refused(['3', 'AUTH', 'default', 'another-password'], 'hello')) });
  expect(hello).toContain('WRONGPASS');
  expect(hello).not.toContain('another-password');
  const evalsha = logged({ err: wrap(refused([Buffer.from('jobs')], 'evalsha')) });
  expect(evalsha).not.toMatch(/"(args|data)"/);
});

test('its name is', () => {
  expect(JSON.parse(logged({ err: refused([], 'evalsha') })).err.command).toBe('evalsha');
});

test.each([
  PASSWORD,
  'secret%2Fword1',
  'secret/word1',
  'a-token-"for"-metrics',
])('a secret of the configuration is in no field: %s', (secret) => {
  const line = logged({ any: { deep: [`before ${secret} after`] } });
  expect(JSON.parse(line).any).toEqual({ deep: ['before [cut] after'] });
});

test('a password that is a word takes nothing out of the log', () => {
  const lines: string[] = [];
  const config = readConfig({ DATABASE_URL: 'postgresql://gridcast:gridcast@127.0.0.1:1/gridcast' });
  createLogger(config, 'worker', { write: (line: string) => void lines.push(line) }).warn('run `gridcast migrate`');
  expect(lines[0]).toContain('run `gridcast migrate`');
});
