import { expect, test } from 'vitest';
import { giveWay } from '../../../src/forecast/give-way.ts';

test('who learns waits until nobody asks any more', async () => {
  let questions = 5;
  await giveWay(() => questions-- > 0, 60_000);
  expect(questions).toBeLessThan(0);
});

test('where it is asked without end, learning goes on all the same', async () => {
  expect(await looksWhile(true)).toBeGreaterThan(0);
});

test('where nobody asks it goes on at once', async () => {
  expect(await looksWhile(false)).toBe(1);
});

/** How often it was looked whether somebody asks, who always does or never. */
async function looksWhile(isAsked: boolean): Promise<number> {
  let looks = 0;
  await giveWay(() => {
    looks++;
    return isAsked;
  });
  return looks;
}
