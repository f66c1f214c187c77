import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { FinishAtSizeAnswer } from '../../../src/cli/client/plan-answers.ts';
import { renderFinishBySize } from '../../../src/cli/render/finish-chart.ts';

const MADE_AT = '2026-11-20T12:00:00.000Z';
const after = (seconds: number) => new Date(Date.parse(MADE_AT) + 1000 * seconds).toISOString();

function finish(name: string, processors: number, seconds: number, changes = {}): FinishAtSizeAnswer {
  return {
    site: { name },
    processors,
    walltimeSeconds: 7200 / processors,
    finishAt: after(seconds),
    lowAt: after(seconds / 2),
    highAt: after(2 * seconds),
    chargeProcessorSeconds: 7200,
    isChosen: false,
    ...changes,
  };
}

const shown = (finishBySize: readonly FinishAtSizeAnswer[]) =>
  stripVTControlCharacters(renderFinishBySize({ madeAt: MADE_AT, finishBySize }));

test('one size has no chart', () => {
  expect(shown([])).toBe('');
  expect(shown([finish('alder', 4, 600), finish('birch', 4, 900)])).toBe('');
});

test('several sizes are drawn from nothing to the latest end, and listed by site with the chosen one marked', () => {
  const lines = shown([
    finish('alder', 2, 3600),
    finish('alder', 8, 1200, { isChosen: true }),
    finish('birch', 8, 1800, { highAt: null }),
    finish('alder', 64, 2400),
  ]).split('\n');
  expect(lines[1]).toMatch(/^ +2 h [┼┤]/);
  expect(lines.find((line) => /^ +0 s /.test(line))).toBeDefined();
  const axis = lines.findIndex((line) => /^ +2 +8 +64$/.test(line));
  expect(axis).toBeGreaterThan(8);
  expect(lines[axis + 3]).toMatch(/^ {2}2 +alder +1 h +1 h +30 m - 2 h +2\.0 processor-h$/);
  expect(lines[axis + 4]).toMatch(/^> 8 +alder +15 m +20 m +10 m - 40 m +2\.0 processor-h$/);
  expect(lines[axis + 5]).toMatch(/^ {2}8 +birch +15 m +30 m +15 m - unknown/);
  expect(lines.slice(0, axis + 1).every((line) => line.length <= 100)).toBe(true);
});
