import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type IoForecast, isBurst } from '../../../src/domain/io-ahead.ts';
import { calmStartAt, doesIoMatter } from '../../../src/plan/job/io-bursts.ts';

function ioOf(bursts: readonly boolean[]): IoForecast {
  const slots = bursts.map((burst, slot) => {
    return { startsAt: 1000 + 300 * slot, readBytesPerSecond: burst ? 80 : 10, writtenBytesPerSecond: 30 };
  });
  return { madeAt: 1000, observedAt: 990, slotSeconds: 300, burstBytesPerSecond: 100, jobs: 1, jobsLeftOut: 0, slots };
}

test('a calm start is the first, in no burst, not before its time and not after the last one', () => {
  const asked = fc.record({
    bursts: fc.array(fc.boolean(), { maxLength: 30 }),
    startAt: fc.integer({ min: 1000, max: 12_000 }),
    runSeconds: fc.integer({ min: 1, max: 5000 }),
    patienceSeconds: fc.integer({ min: 0, max: 12_000 }),
  });
  fc.assert(
    fc.property(asked, ({ bursts, startAt, runSeconds, patienceSeconds }) => {
      const io = ioOf(bursts);
      const meets = (at: number) =>
        io.slots.some((slot) => {
          const isMet = slot.startsAt + 300 > at && slot.startsAt < at + Math.min(runSeconds, 900);
          return isMet && isBurst(io, slot);
        });
      const calmAt = calmStartAt(io, startAt, runSeconds, startAt + patienceSeconds);
      const candidates = [startAt, ...io.slots.map(({ startsAt }) => startsAt + 300).filter((at) => at > startAt)];
      const first = candidates.find((at) => !meets(at)) as number;
      expect(calmAt).toBe(first <= startAt + patienceSeconds ? first : null);
    }),
  );
});

test('IO matters from a twentieth of a burst on, and never where there is none', () => {
  const io = ioOf([]);
  expect([0, 4.9, 5, 500].map((bytes) => doesIoMatter(io, bytes))).toEqual([false, false, true, true]);
  expect(doesIoMatter({ ...io, burstBytesPerSecond: 0 }, 0)).toBe(false);
});
