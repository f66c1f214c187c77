import { expect, test } from 'vitest';
import { AskersFirst } from '../../../src/forecast/askers-first.ts';

test('who learns waits until nobody asks any more', async () => {
  let questions = 5;
  await new AskersFirst(() => questions-- > 0, 60_000).giveWay();
  expect(questions).toBeLessThan(0);
});

test('where it is asked without end, learning goes on all the same', async () => {
  let looks = 0;
  const isAsked = () => {
    looks++;
    return true;
  };
  await new AskersFirst(isAsked).giveWay();
  expect(looks).toBeGreaterThan(0);
});

test('where nobody asks it goes on at once', async () => {
  let looks = 0;
  const isAsked = () => {
    looks++;
    return false;
  };
  await new AskersFirst(isAsked).giveWay();
  expect(looks).toBe(1);
});
