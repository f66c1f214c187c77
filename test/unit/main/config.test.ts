import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../../src/main/config.ts';
import { readTuned } from '../../../src/main/read-tuned.ts';

test('an empty environment gives defaults that work', () => {
  const config = readConfig({ GRIDCAST_PORT: '' });
  expect(config).toMatchObject({ GRIDCAST_HOST: '127.0.0.1', GRIDCAST_PORT: 4000, GRIDCAST_CLOCK_SCALE: 1 });
  expect(config.DATABASE_URL).toBeUndefined();
});

test('blanks are no number', () => {
  const blank = { GRIDCAST_PORT: ' ', GRIDCAST_HANDOVER_SECONDS: '\t', GRIDCAST_RETENTION_DAYS: '  ' };
  expect(readConfig(blank)).toMatchObject({
    GRIDCAST_PORT: 4000,
    GRIDCAST_HANDOVER_SECONDS: 15,
    GRIDCAST_RETENTION_DAYS: 30,
  });
});

test.each(['0x10', '0b11', '1e3', '0o17', '12px', 'Infinity', '1,5'])('"%s" is no number', (text) => {
  const fault = catchError(() => readConfig({ GRIDCAST_WORKER_CONCURRENCY: text }));
  expect(fault.message).toContain(`GRIDCAST_WORKER_CONCURRENCY="${text}": must be a number in decimal digits`);
});

test.each(['99999999999999999999', '-99999999999999999999'])('%s is told of once', (text) => {
  const fault = catchError(() => readConfig({ GRIDCAST_LEASE_MILLISECONDS: text }));
  expect((fault as ConfigError).faults).toHaveLength(1);
});

test('times that no moment or timer can have are refused', () => {
  const fault = catchError(() =>
    readConfig({
      GRIDCAST_RETENTION_DAYS: '9999999',
      GRIDCAST_PATIENCE_SECONDS: '99999999999999',
      GRIDCAST_LEASE_MILLISECONDS: '2147483648',
      GRIDCAST_SWEEP_MILLISECONDS: '99999999999',
    }),
  );
  expect(fault.message).toMatch(/GRIDCAST_RETENTION_DAYS="9999999": Too big: expected number to be <=36500/);
  expect(fault.message).toMatch(/GRIDCAST_PATIENCE_SECONDS="99999999999999": Too big/);
  expect(fault.message).toMatch(/GRIDCAST_LEASE_MILLISECONDS="2147483648": Too big/);
  expect(fault.message).toMatch(/GRIDCAST_SWEEP_MILLISECONDS="99999999999": Too big/);
});

test('of a Redis nothing but the number of a database is named behind its host', () => {
  for (const REDIS_URL of ['redis://h', 'redis://h:1/', 'rediss://:p%40ss@h:1/3'])
    expect(readConfig({ REDIS_URL })).toMatchObject({ REDIS_URL });
  for (const REDIS_URL of ['redis://h/abc', 'redis://h/3/4', 'redis://h/-1', 'rediss://:p@ss/w@h/3'])
    expect(catchError(() => readConfig({ REDIS_URL })).message).toMatch(
      /REDIS_URL.*(number of a database, as \/3|write # as)/,
    );
});

test.each([
  ['redis://:Pa/ss@h:1', /REDIS_URL="\.\.\.": is no address.*write # as %23/],
  ['redis://:50%off@h:1', /REDIS_URL="\.\.\.": has % alone/],
  ['redis://h:99999', /port is above 65535.*redis:\/\/user:password@host:6379\/0$/],
  ['http://h', /REDIS_URL="\.\.\.": must not begin with http:/],
])('an address that its client would read otherwise is refused with what to write: %s', (url, told) => {
  expect(catchError(() => readConfig({ REDIS_URL: url })).message).toMatch(told);
});

test.each([
  'postgresql://u:12#3@h/db',
  'postgresql://u:12/3@h/db',
  'postgresql://u:5%@h/db',
  'nothing',
])('of PostgreSQL, too: %s', (DATABASE_URL) => {
  expect(catchError(() => readConfig({ DATABASE_URL })).message).toMatch(/DATABASE_URL="\.\.\.": .*write # as %23/);
});

test('addresses of sockets, and with signs that are written, will do', () => {
  for (const DATABASE_URL of ['postgresql:///db?host=/tmp/x', 'postgres://u:%23%25%2F@h:5432/a%40b?sslmode=require'])
    expect(readConfig({ DATABASE_URL })).toMatchObject({ DATABASE_URL });
});

test.each([
  ['DATABASE_URL', 'localhost', 'postgresql://'],
  ['REDIS_URL', 'localhost', 'redis://'],
  ['REDIS_URL', 'localhost:6379', 'redis://'],
  ['GRIDCAST_URL', '127.0.0.1:4000', 'http://'],
])('%s=%s is told as a fault, with an address that would do, beside the others', (name, value, example) => {
  const { message } = catchError(() => readConfig({ [name]: value, GRIDCAST_PORT: 'x' }));
  expect(message).toMatch(new RegExp(`${name}="\\.\\.\\.": .*${example}`));
  expect(message).toContain('GRIDCAST_PORT="x"');
});

test('no clock stands where there is no date', () => {
  for (const name of ['GRIDCAST_CLOCK_AT', 'GRIDCAST_CLOCK_WALL_MILLISECONDS', 'GRIDCAST_FORECAST_RETENTION_MONTHS']) {
    expect(catchError(() => readConfig({ [name]: '1000000000000000' })).message).toContain(
      `${name}="1000000000000000": Too big`,
    );
  }
});

test('waits and runtimes have their own predictors, each among its own', () => {
  expect(readConfig({})).toMatchObject({
    GRIDCAST_PREDICTOR: 'wait/gridcast',
    GRIDCAST_RUNTIME_PREDICTOR: 'runtime/gridcast',
    GRIDCAST_RUNTIME_ALSO_SCORED: ['baseline/requested'],
  });
  const fault = catchError(() =>
    readConfig({
      GRIDCAST_RUNTIME_PREDICTOR: 'wait/qbets',
      GRIDCAST_RUNTIME_ALSO_SCORED: 'baseline/requested, oracle',
    }),
  );
  expect(fault.message).toMatch(/GRIDCAST_RUNTIME_PREDICTOR="wait\/qbets"/);
  expect(fault.message).toMatch(/GRIDCAST_RUNTIME_ALSO_SCORED="baseline\/requested, oracle"/);
});

test('every fault is named at once, with the value, and secrets are not shown', () => {
  const environment = {
    GRIDCAST_PORT: '70000',
    GRIDCAST_LOG_LEVEL: 'loud',
    DATABASE_URL: 'mysql://user:secret@host/db',
    GRIDCAST_PROT: '1',
    GRIDCAST_ALSO_SCORED: 'a,,baseline/mean,b',
    GRIDCAST_STAGING_PRIVATE_HOSTS: 'files.lan,http://x',
    GRIDCAST_OBSERVE_SECONDS: '900',
    GRIDCAST_TUNED: '/nope.json, /nor.json',
    GRIDCAST_EMBEDDING_TOKENIZER: '/nope/tokenizer.json',
    GRIDCAST_DATA: '/dev/null',
  };
  const fault = catchError(() => readConfig(environment));
  expect(fault).toBeInstanceOf(ConfigError);
  expect(fault.message).toMatch(/GRIDCAST_PORT="70000"/);
  expect(fault.message).toMatch(/GRIDCAST_LOG_LEVEL="loud"/);
  expect(fault.message).toMatch(/GRIDCAST_PROT: no such setting; did you mean "GRIDCAST_PORT"\?/);
  expect(fault.message.match(/GRIDCAST_ALSO_SCORED/g)).toHaveLength(1);
  expect(fault.message).toMatch(/GRIDCAST_ALSO_SCORED="a,,baseline\/mean,b": "a", "b": .*; "": nothing is between/);
  expect(fault.message).toMatch(/GRIDCAST_STAGING_PRIVATE_HOSTS=.*: "http:\/\/x": must be host or host:port/);
  expect(fault.message).toMatch(/GRIDCAST_OBSERVE_SECONDS="900": must be below GRIDCAST_STALE_SECONDS.*900.*600/);
  for (const file of ['/nope.json', '/nor.json']) {
    expect(fault.message).toMatch(new RegExp(`GRIDCAST_TUNED: ENOENT.*'${file}'`));
  }
  expect(fault.message).toMatch(/GRIDCAST_EMBEDDING_TOKENIZER="[^"]*": is of no use without GRIDCAST_EMBEDDING_MODEL/);
  expect(fault.message).toMatch(/GRIDCAST_DATA: \/dev\/null is a file and no folder/);
  expect(fault.message).toMatch(/DATABASE_URL="\.\.\."/);
  expect(fault.message).not.toMatch(/secret/);
});

test('sites that are looked at less often than they become stale are refused, whichever of the two is set', () => {
  const fault = catchError(() => readConfig({ GRIDCAST_STALE_SECONDS: '30' }));
  expect(fault.message).toMatch(
    / {2}GRIDCAST_OBSERVE_SECONDS: must be below GRIDCAST_STALE_SECONDS.*30 is not below 30$/,
  );
  expect(readConfig({ GRIDCAST_STALE_SECONDS: '31' }).GRIDCAST_OBSERVE_SECONDS).toBe(30);
});

test.each([
  ...['http://x', 'files.lan/', 'user@files.lan', '10.0.0.0/8', '*.lan', 'files.lan:https', 'files.lan:70000'],
  'fd00::1',
])('a private host that no address can have is refused: %s', (text) => {
  const fault = catchError(() => readConfig({ GRIDCAST_STAGING_PRIVATE_HOSTS: `10.1.2.3,${text}` }));
  expect(fault.message).toContain(`"${text}": must be host or host:port`);
});

test('private hosts are spelt as addresses spell them', () => {
  expect(
    readConfig({ GRIDCAST_STAGING_PRIVATE_HOSTS: 'Files.LAN:0443, [FD00::0001]:8080, 10.1.2.3,' })
      .GRIDCAST_STAGING_PRIVATE_HOSTS,
  ).toEqual(['files.lan:443', '[fd00::1]:8080', '10.1.2.3']);
});

describe('tuned parameters', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gridcast-tuned-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const write = (name: string, tuned: object) => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify(tuned));
    return file;
  };

  test('are read from the files that are named', () => {
    const file = write('apq.json', { predictor: 'wait/apq', parameters: { capacity: 2000 }, every: 1 });
    const { GRIDCAST_TUNED } = readConfig({ GRIDCAST_TUNED: `${file}, ` });
    expect(GRIDCAST_TUNED).toEqual([file]);
    expect(readTuned(GRIDCAST_TUNED)).toEqual({ 'wait/apq': { capacity: 2000 } });
    expect(readTuned(readConfig({}).GRIDCAST_TUNED)).toEqual({});
  });

  test('that cannot be are all named', () => {
    const unknown = write('oracle.json', { predictor: 'wait/oracle', parameters: {} });
    const wrong = write('wrong.json', { predictor: 'wait/apq', parameters: { capacity: 'many' } });
    const fault = catchError(() => readTuned([join(folder, 'nowhere.json'), unknown, wrong]));
    expect(fault).toBeInstanceOf(ConfigError);
    expect(fault.message).toMatch(/no such file.*nowhere.json/);
    expect(fault.message).toMatch(/no wait predictor wait\/oracle/);
    expect(fault.message).toMatch(/capacity of wait\/apq must be a whole number from 1, not "many"/);
  });
});

function catchError(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}
