import { expect, test } from 'vitest';
import { KnownPastSpan } from '../../../src/forecast/known-past-span.ts';

const DAY = 86_400;

function spanOf(...moments: number[]): number {
  const span = new KnownPastSpan();
  for (const at of moments) span.add(at);
  return span.seconds;
}

test('nothing known is no past', () => {
  expect(spanOf()).toBe(0);
  expect(spanOf(5000)).toBe(0);
});

test('it reaches from the oldest moment to the newest, in whichever order they are told', () => {
  expect(spanOf(4000, 1000, 2500)).toBe(3000);
});

test('days of which nothing is known do not count', () => {
  expect(spanOf(0, 100 * DAY)).toBe(2 * DAY);
  expect(spanOf(0, DAY / 2, DAY, 100 * DAY)).toBe(3 * DAY);
});
