import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../../src/main/config.ts';

test('an empty environment gives defaults that work', () => {
  const config = readConfig({ GRIDCAST_PORT: '' });
  expect(config).toMatchObject({ GRIDCAST_HOST: '127.0.0.1', GRIDCAST_PORT: 4000, GRIDCAST_CLOCK_SCALE: 1 });
  expect(config.DATABASE_URL).toBeUndefined();
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

function catchError(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}
