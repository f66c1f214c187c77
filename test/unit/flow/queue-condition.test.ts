import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { QueueCondition } from '../../../src/flow/queue-condition.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a queue store that refuses is no good until it takes something, or nobody has tried for a minute', async () => {
  const condition = new QueueCondition(async () => undefined);
  const refuse = () => condition.putIn(() => Promise.reject(new Error('OOM'))).catch(() => undefined);
  expect(await condition.isGood()).toBe(true);
  await refuse();
  expect(await condition.isGood()).toBe(false);
  await condition.putIn(async () => undefined);
  expect(await condition.isGood()).toBe(true);
  await refuse();
  vi.advanceTimersByTime(61_000);
  expect(await condition.isGood()).toBe(true);
  condition.noteRefusal();
  expect(await condition.isGood()).toBe(false);
  vi.advanceTimersByTime(16_000);
  expect(await condition.isGood()).toBe(true);
});

test('one that says nothing is asked a single time', async () => {
  let asked = 0;
  let answer: () => void = () => undefined;
  const condition = new QueueCondition(() => {
    asked++;
    return new Promise<void>((resolve) => {
      answer = resolve;
    });
  });
  expect(await Promise.all([condition.isGood(), condition.isGood()])).toEqual([false, false]);
  expect(asked).toBe(1);
  answer();
  await new Promise((resolve) => setImmediate(resolve));
  const again = condition.isGood();
  answer();
  expect(await again).toBe(true);
});
