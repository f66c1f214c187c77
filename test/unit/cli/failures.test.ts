import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { graphqlUrl, openClient, readAnswer } from '../../../src/cli/client/graphql-client.ts';
import { signInLink } from '../../../src/cli/client/sign-in-link.ts';
import { CliFailure, EXIT, failureOf } from '../../../src/cli/failure.ts';
import { readGiven } from '../../../src/cli/files.ts';
import { parseNumber, parseProbability, parseWhole } from '../../../src/cli/parse/number.ts';
import { parseLeg, parseWord } from '../../../src/cli/parse/work.ts';

const URL = 'http://127.0.0.1:4000/graphql';

function caught(work: () => unknown): CliFailure {
  try {
    work();
  } catch (error) {
    if (error instanceof CliFailure) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('user errors', () => {
  test('none is no failure', () => {
    expect(failureOf([])).toBeNull();
  });

  test('of a service that does not know what is asked say what to do', () => {
    const message = 'Cannot query field "barredTerm" on type "Queue".';
    const failure = failureOf([{ code: 'GRAPHQL_VALIDATION_FAILED', field: null, message }]);
    expect(failure).toMatchObject({ message, remedy: expect.stringContaining('different versions') });
  });

  test('that are not passing are not answered with another try', () => {
    const message = 'a site named "north" is registered already; choose another name';
    expect(failureOf([{ code: 'NAME_TAKEN', field: 'input.name', message }])?.remedy ?? '').not.toContain('ask again');
  });

  test('name their field and a remedy, and end with exit code 1', () => {
    const failure = failureOf([
      { code: 'INVALID', field: 'input.processors', message: 'processors must be a whole number' },
      { code: 'PROMISE_REFUSED', field: null, message: 'no site promises it' },
      { code: 'INVALID', field: 'input.legs[1].script', message: 'script contains a NUL character' },
      { code: 'INVALID', field: 'input.tasks', message: 'input.tasks: Int cannot represent 2.5' },
      { code: 'INVALID', field: 'input.rule', message: 'give either rule or nestedRule' },
    ]);
    expect(failure?.exitCode).toBe(EXIT.caller);
    expect(failure?.message.split('\n')).toEqual([
      'input.processors must be a whole number',
      'no site promises it',
      'input.legs[1].script contains a NUL character',
      'input.tasks: Int cannot represent 2.5',
      'input.rule: give either rule or nestedRule',
    ]);
    expect(failure?.remedy).toContain('a lower probability');
    expect(failure?.faults).toHaveLength(5);
  });
});

describe('answers of the service', () => {
  test('data is handed on', () => {
    expect(readAnswer(URL, 200, '{"data":{"serverTime":"2026"}}')).toEqual({ serverTime: '2026' });
    const internal = '{"errors":[{"message":"went wrong","extensions":{"code":"INTERNAL","requestId":"8b2d"}}]}';
    expect(caught(() => readAnswer(URL, 200, internal)).message).toBe('went wrong (request 8b2d)');
  });

  test('errors carry code and message', () => {
    const text = JSON.stringify({ errors: [{ message: 'bad token', extensions: { code: 'UNAUTHENTICATED' } }] });
    const failure = caught(() => readAnswer(URL, 401, text));
    expect(failure).toMatchObject({ exitCode: EXIT.caller, message: 'bad token' });
    expect(failure.remedy).toContain('gridcast token create');
  });

  test('an answer that is no GraphQL is no Gridcast', () => {
    const failure = caught(() => readAnswer(URL, 200, '<html>a proxy</html>'));
    expect(failure.exitCode).toBe(EXIT.unreachable);
    expect(failure.message).toContain('<html>a proxy</html>');
  });

  test('no answer at all says what to start', async () => {
    // Port 1 is reserved; nobody listens there.
    const request = openClient({ url: 'http://127.0.0.1:1', token: null }).request('{ serverTime }');
    await expect(request).rejects.toMatchObject({
      exitCode: EXIT.unreachable,
      message: expect.stringContaining('http://127.0.0.1:1/graphql'),
      remedy: expect.stringContaining('gridcast serve'),
    });
  });

  test('a sign-in link is asked of nobody but Gridcast', async () => {
    const proxy = createServer((_, response) => response.end('<html>a proxy</html>')).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    try {
      await expect(signInLink(`http://127.0.0.1:${port}/graphql`, 'gct_x')).rejects.toMatchObject({
        exitCode: EXIT.unreachable,
        message: expect.stringContaining('<html>a proxy</html>'),
        remedy: expect.stringContaining('GRIDCAST_URL'),
      });
    } finally {
      proxy.close();
    }
    await expect(signInLink('http://127.0.0.1:1/graphql', 'gct_x')).rejects.toMatchObject({
      exitCode: EXIT.unreachable,
      remedy: expect.stringContaining('gridcast serve'),
    });
  });

  test('the path is added where it is missing', () => {
    expect(graphqlUrl('http://host:4000')).toBe('http://host:4000/graphql');
    expect(graphqlUrl('http://host:4000/')).toBe('http://host:4000/graphql');
    expect(graphqlUrl('http://host:4000/graphql')).toBe('http://host:4000/graphql');
  });
});

describe('what is written on the command line', () => {
  test('a leg names site, queue and size', () => {
    expect(parseLeg('name=left,site=birch,processors=8,walltime=2h,queue=batch')).toEqual({
      id: 'left',
      site: 'birch',
      queue: 'batch',
      processors: 8,
      walltimeSeconds: 7200,
    });
    expect(parseLeg('processors=1,walltime=30m')).toMatchObject({ id: null, site: null, queue: null });
    expect(parseLeg('processors=8,walltime=2h,gpus=2,memory-per-node=1.5G,exclusive').resources).toEqual({
      gpus: 2,
      memoryPerNodeMebibytes: 1536,
      exclusive: true,
    });
  });

  test.each([
    ['site=birch', 'lacks processors and walltime'],
    ['processors=8,walltime=2h,colour=3', 'knows no colour'],
    ['processors=8,walltime=2h,memory-per-node=much', 'no amount of memory'],
    ['processors=0,walltime=2h', 'no whole number'],
    ['processors=8,walltime=soon', 'no duration'],
  ])('the leg "%s" is refused: it %s', (text, why) => {
    const failure = caught(() => parseLeg(text));
    expect(failure.exitCode).toBe(EXIT.usage);
    expect(failure.message).toContain(why);
  });

  test('words are those of the API in small letters', () => {
    expect(parseWord('mode', 'best-effort', ['HOLD', 'BEST_EFFORT'])).toBe('BEST_EFFORT');
    expect(caught(() => parseWord('mode', 'later', ['HOLD', 'BEST_EFFORT'])).remedy).toBe(
      'write one of: hold, best-effort',
    );
  });

  test.each(['', '-1', '1.5', 'x', '1e3', '99999999999999999999'])('"%s" is no whole number', (text) => {
    expect(caught(() => parseWhole(text)).exitCode).toBe(EXIT.usage);
  });

  test('numbers may be anything finite; the service judges their range', () => {
    expect(parseNumber('-0.5')).toBe(-0.5);
    expect(caught(() => parseNumber('')).exitCode).toBe(EXIT.usage);
    expect(caught(() => parseNumber('Infinity')).exitCode).toBe(EXIT.usage);
  });

  test.each([
    ['.8', 0.8],
    ['0.8', 0.8],
    ['80%', 0.8],
    ['80 %', 0.8],
    ['99.9%', 0.999],
  ])('the probability "%s" is %s', (text, probability) => {
    expect(parseProbability(text)).toBe(probability);
  });

  test.each(['80', 'x%', '%', ''])('the probability "%s" is refused with both ways to write it', (text) => {
    const failure = caught(() => parseProbability(text));
    expect(failure.exitCode).toBe(EXIT.usage);
    expect(failure.remedy).toContain('0.8 or 80%');
  });

  test('a script that is not there is named', () => {
    expect(caught(() => readGiven('/no/such/script', 'script')).message).toContain('/no/such/script');
  });
});
