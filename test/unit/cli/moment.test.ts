import { expect, test } from 'vitest';
import { parseMoment, resolveMoment } from '../../../src/cli/parse/moment.ts';
import { formatMoment } from '../../../src/cli/render/time.ts';
import { formatSeconds } from '../../../src/domain/duration.ts';

const SERVER_NOW = 1_780_000_000;

test.each([
  ['+6h', SERVER_NOW + 21_600],
  ['+90m', SERVER_NOW + 5400],
  ['2026-11-20T14:00:00Z', 1_795_183_200],
  ['2026-11-20T14:00Z', 1_795_183_200],
  ['2026-11-20 14:00:00Z', 1_795_183_200],
  ['2026-11-20 15:00:00 +01:00', 1_795_183_200],
  [formatMoment('2026-11-20T14:00:00.000Z'), 1_795_183_200],
  [`+${formatSeconds(5400)}`, SERVER_NOW + 5400],
  ['2026-11-20T15:00:00+01:00', 1_795_183_200],
  ['2026-11-20T14:00:00.250Z', 1_795_183_200.25],
])('%s resolves on the service’s clock', (text, at) => {
  expect(resolveMoment(parseMoment(text), SERVER_NOW)).toBe(at);
});

test.each([
  '',
  'tomorrow',
  '6h',
  '+',
  '+-6h',
  '2026-11-20',
  '2026-11-20T14:00:00',
  '2026-13-45T99:00:00Z',
  '2026-11-31T12:00:00Z',
  '2026-02-29T12:00:00Z',
  '2026-11-30T24:30:00Z',
  '20 November',
])('"%s" is refused as wrong usage', (text) => {
  expect(() => parseMoment(text)).toThrow(expect.objectContaining({ exitCode: 2 }));
});
