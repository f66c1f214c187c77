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
  };
  const fault = catchError(() => readConfig(environment));
  expect(fault).toBeInstanceOf(ConfigError);
  expect(fault.message).toMatch(/GRIDCAST_PORT="70000"/);
  expect(fault.message).toMatch(/GRIDCAST_LOG_LEVEL="loud"/);
  expect(fault.message).toMatch(/GRIDCAST_PROT: no such setting/);
  expect(fault.message).toMatch(/DATABASE_URL="\.\.\."/);
  expect(fault.message).not.toMatch(/secret/);
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
