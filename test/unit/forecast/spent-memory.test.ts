import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SpentMemory } from '../../../src/forecast/spent-memory.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

test('what was spent is given back once nothing has been for some seconds, and only once', () => {
  const spent = new SpentMemory();
  expect(spent.giveBack()).toBe(false);
  spent.spend();
  expect(spent.giveBack()).toBe(true);
  spent.spend();
  vi.advanceTimersByTime(9000);
  expect(spent.giveBack()).toBe(false);
  vi.advanceTimersByTime(1000);
  expect(spent.giveBack()).toBe(true);
  expect(spent.giveBack()).toBe(false);
});

test('where something is always spent, every few minutes', () => {
  const spent = new SpentMemory();
  const given = Array.from({ length: 700 }, () => {
    spent.spend();
    vi.advanceTimersByTime(1000);
    return spent.giveBack();
  });
  expect(given.filter(Boolean).length).toBe(3);
});

test('memory that nobody holds any more is collected', async () => {
  const spent = new SpentMemory();
  const most = fortyMegabytesLetGo();
  spent.spend();
  spent.giveBack();
  // Another thread of V8 counts what was collected.
  await expect.poll(() => most - process.memoryUsage().arrayBuffers).toBeGreaterThan(20_000_000);
});

/** How much there is in buffers while forty megabytes more are held. */
function fortyMegabytesLetGo(): number {
  const held = Array.from({ length: 40 }, () => new Float64Array(131_072).fill(1));
  expect(held.length).toBe(40);
  return process.memoryUsage().arrayBuffers;
}
