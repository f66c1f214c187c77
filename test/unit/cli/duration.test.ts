import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CliFailure } from '../../../src/cli/failure.ts';
import { parseDuration } from '../../../src/cli/parse/duration.ts';
import { formatExactSeconds, formatSeconds } from '../../../src/domain/duration.ts';

describe('parseDuration', () => {
  test.each([
    ['90m', 5400],
    ['6h', 21_600],
    ['1h30m', 5400],
    ['1h 30m', 5400],
    ['1 h 30 m', 5400],
    ['1.5h', 5400],
    ['2d', 172_800],
    ['1w', 604_800],
    ['1:30:00', 5400],
    ['90:00', 5400],
    ['45', 45],
    ['45s', 45],
  ])('%s is %d s', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds);
  });

  test.each([
    '',
    '0',
    '0h',
    '-5m',
    '5x',
    'h',
    '1:90:00',
    '1:2',
    '1e3',
    'NaN',
    '99999999999999999999h',
  ])('"%s" is refused as wrong usage', (text) => {
    expect(() => parseDuration(text)).toThrow(CliFailure);
    expect(() => parseDuration(text)).toThrow(expect.objectContaining({ exitCode: 2 }));
  });

  test('reads what formatSeconds writes, to the two units that it keeps', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3599 }), (seconds) => {
        expect(parseDuration(formatSeconds(seconds).replaceAll(' ', ''))).toBe(seconds);
      }),
    );
  });
});

describe('formatSeconds', () => {
  test.each([
    [0, '0 s'],
    [45, '45 s'],
    [5400, '1 h 30 m'],
    [3601, '1 h'],
    [90_061, '1 d 1 h'],
    [-90, '-1 m 30 s'],
    [Number.POSITIVE_INFINITY, '∞'],
  ])('%d is %s', (seconds, text) => {
    expect(formatSeconds(seconds)).toBe(text);
  });
});

describe('formatExactSeconds', () => {
  test.each([
    [0, '0 s'],
    [0.1, '0.1 s'],
    [86_400, '1 d'],
    [86_401, '1 d 1 s'],
    [90_061, '1 d 1 h 1 m 1 s'],
    [-90, '-1 m 30 s'],
    [Number.POSITIVE_INFINITY, '∞'],
  ])('%d is %s', (seconds, text) => {
    expect(formatExactSeconds(seconds)).toBe(text);
  });
});
