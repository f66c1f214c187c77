import { expect, test } from 'vitest';
import { parseBytes, parseCpuSeconds, sumTold } from '../../../adapters/shared/amounts.ts';
import { jobNameOf } from '../../../adapters/shared/job-name.ts';
import { told, toldUse } from '../../../adapters/shared/told.ts';

test('only what is told is there, and a name that bears a key of ours is no program', () => {
  const workFolder = '/scratch/wrf';
  expect(told({ name: 'wrf', account: 'climate', group: 'staff', workFolder })).toStrictEqual({
    account: 'climate',
    group: 'staff',
    program: { name: 'wrf', script: null, arguments: [], workFolder },
  });
  expect(told({ name: '', account: '', group: null, workFolder: '' })).toStrictEqual({});
  expect(told({ name: null, workFolder })).toMatchObject({ program: { name: null, workFolder } });
  expect(told({ name: jobNameOf('gc-1'), account: 'climate', workFolder })).toStrictEqual({ account: 'climate' });
});

test('a use of which nothing is told is absent, one of which something is told says what is not', () => {
  const nothing = { cpuSeconds: null, memoryBytes: null, readBytes: null, writtenBytes: null };
  expect(toldUse(nothing)).toStrictEqual({});
  expect(toldUse(undefined)).toStrictEqual({});
  expect(toldUse({ ...nothing, cpuSeconds: 0 })).toStrictEqual({ use: { ...nothing, cpuSeconds: 0 } });
});

test.each([
  ['0', 0],
  ['512', 512],
  ['512b', 512],
  ['249172kb', 249_172 * 1024],
  ['1.5G', 1.5 * 1024 ** 3],
  ['2TB', 2 * 1024 ** 4],
  ['16?', null],
  ['10kw', null],
  ['-5', null],
  ['1e9', null],
  ['', null],
  [undefined, null],
])('%s is %s bytes', (text, bytes) => expect(parseBytes(text)).toBe(bytes));

test.each([
  ['00:03.120', 3.12],
  ['01:02:03', 3723],
  ['2-01:00:00', 2 * 86_400 + 3600],
  ['100:00:00', 360_000],
  ['17', 17],
  ['0.5', 0.5],
  ['INVALID', null],
  ['1-', null],
  ['', null],
  [undefined, null],
])('%s is %s seconds of CPU', (text, seconds) => expect(parseCpuSeconds(text)).toBe(seconds));

test('a sum is of what is told', () => {
  expect(sumTold([null, null])).toBeNull();
  expect(sumTold([null, 2, 3])).toBe(5);
});
