import { expect, test } from 'vitest';
import { ScaledClock, type WallTime } from '../../../src/domain/clock.ts';
import { SteppedClock } from '../../stepped-clock.ts';

function wallAt(start: number) {
  let milliseconds = start;
  const sleeps: number[] = [];
  const wall: WallTime = {
    readMilliseconds: () => milliseconds,
    async sleep(duration) {
      sleeps.push(duration);
      milliseconds += duration;
    },
  };
  return { wall, sleeps, pass: (duration: number) => (milliseconds += duration) };
}

test('a scaled clock runs `scale` times as fast as the wall from its anchor on', () => {
  const { wall, pass } = wallAt(5000);
  const clock = new ScaledClock({ wallMilliseconds: 5000, at: 1_000_000, scale: 300 }, wall);
  expect(clock.now()).toBe(1_000_000);
  pass(2000);
  expect(clock.now()).toBe(1_000_600);
  expect(clock.wallMillisecondsUntil(1_000_900)).toBe(1000);
  expect(clock.wallMillisecondsUntil(999_000)).toBe(0);
});

test('at scale 1 it says to the last digit what the wall says, wherever it began', () => {
  for (let began = 1_795_668_393_000; began < 1_795_668_394_000; began += 7) {
    const { wall, pass } = wallAt(began);
    const clock = new ScaledClock({ wallMilliseconds: began, at: began / 1000, scale: 1 }, wall);
    for (let passed = 0; passed < 50; passed += 1) {
      expect(clock.now()).toBe(wall.readMilliseconds() / 1000);
      pass(955);
    }
  }
});

test('a sleep longer than a timer can hold is slept in parts', async () => {
  const { wall, sleeps } = wallAt(0);
  const clock = new ScaledClock({ wallMilliseconds: 0, at: 0, scale: 1 }, wall);
  await clock.sleepUntil(3_000_000);
  expect(sleeps[0]).toBe(2 ** 31 - 1);
  expect(sleeps).toHaveLength(2);
  expect(clock.now()).toBeCloseTo(3_000_000, 2);
});

test('a clock that does not move forward is refused', () => {
  expect(() => new ScaledClock({ wallMilliseconds: 0, at: 0, scale: 0 }, wallAt(0).wall)).toThrow(/must be positive/);
});

test('a stepped clock wakes sleepers in the order of their moments and cannot go back', async () => {
  const clock = new SteppedClock(100);
  const woken: number[] = [];
  const sleeps = [130, 110, 150].map((at) => clock.sleepUntil(at).then(() => woken.push(at)));
  clock.advanceTo(140);
  await Promise.all(sleeps.slice(0, 2));
  expect(woken).toEqual([110, 130]);
  expect(() => clock.advanceTo(120)).toThrow(/cannot go back/);
});

test('an aborted sleep ends at once', async () => {
  const abort = new AbortController();
  const sleep = new SteppedClock(0).sleepUntil(1000, abort.signal);
  abort.abort();
  await expect(sleep).resolves.toBeUndefined();
});
