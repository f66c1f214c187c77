import fc from 'fast-check';
import { standardDeviation } from 'simple-statistics';
import { expect, test } from 'vitest';
import { BurstLevel } from '../../../../src/predict/io-ahead/burst-level.ts';
import { bandwidthOf, IoSum } from '../../../../src/predict/io-ahead/io-slots.ts';

const SLOTS = { fromAt: 1000, slotSeconds: 300, count: 12 };

test('no byte is lost or invented: what runs within the slots is read and written in them, in any order', () => {
  const run = fc.record({
    startAt: fc.integer({ min: 1000, max: 2500 }),
    seconds: fc.integer({ min: 1, max: 2000 }),
    readBytes: fc.integer({ min: 0, max: 1e9 }),
    writtenBytes: fc.integer({ min: 0, max: 1e9 }),
  });
  fc.assert(
    fc.property(fc.array(run, { maxLength: 20 }), (runs) => {
      const [there, back] = [new IoSum(SLOTS), new IoSum(SLOTS)];
      const told = runs.map(({ startAt, seconds, readBytes, writtenBytes }) => {
        return { startAt, endAt: startAt + seconds, ...bandwidthOf(readBytes, writtenBytes, seconds) };
      });
      for (const one of told) there.add(one);
      for (const one of told.toReversed()) back.add(one);
      const bytes = (sum: IoSum) => sum.totals().reduce((all, perSecond) => all + 300 * perSecond, 0);
      const expected = runs.reduce((sum, { readBytes, writtenBytes }) => sum + readBytes + writtenBytes, 0);
      expect(bytes(there)).toBeCloseTo(expected, 0);
      expect(bytes(back)).toBeCloseTo(expected, 0);
      expect(there.all().every((slot) => slot.readBytesPerSecond >= 0 && slot.writtenBytesPerSecond >= 0)).toBe(true);
    }),
  );
});

test('a slot has the share of a job that runs in a part of it, and nothing outside of the slots counts', () => {
  const sum = new IoSum(SLOTS);
  sum.add({ startAt: 0, endAt: 1150, readBytesPerSecond: 100, writtenBytesPerSecond: 10 });
  sum.add({ startAt: 4450, endAt: 9999, readBytesPerSecond: 100, writtenBytesPerSecond: 10 });
  expect(sum.slotAt(0)).toEqual({ startsAt: 1000, readBytesPerSecond: 50, writtenBytesPerSecond: 5 });
  expect(sum.slotAt(11)).toEqual({ startsAt: 4300, readBytesPerSecond: 50, writtenBytesPerSecond: 5 });
  expect(sum.totals().slice(1, 11)).toEqual(new Float64Array(10));
});

test('of bytes that nobody knows there is no bandwidth', () => {
  const unknown = bandwidthOf(Number.POSITIVE_INFINITY, Number.NaN, 0);
  expect(unknown).toEqual({ readBytesPerSecond: 0, writtenBytesPerSecond: 0 });
});

test('a burst exceeds the mean and a deviation of the slots so far', () => {
  expect(new BurstLevel().bytesPerSecond).toBeNull();
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 1 }), (slots) => {
      const level = new BurstLevel();
      for (const slot of slots) level.add(slot);
      const mean = slots.reduce((sum, slot) => sum + slot, 0) / slots.length;
      expect(level.bytesPerSecond).toBeCloseTo(mean + standardDeviation(slots), 0);
    }),
  );
});
