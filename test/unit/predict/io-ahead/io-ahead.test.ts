import fc from 'fast-check';
import { standardDeviation } from 'simple-statistics';
import { expect, test } from 'vitest';
import type { EndedRecord } from '../../../../src/domain/job.ts';
import { BurstLevel } from '../../../../src/predict/io-ahead/burst-level.ts';
import { bandwidthOf, IoSum } from '../../../../src/predict/io-ahead/io-slots.ts';
import { KnownBandwidth } from '../../../../src/predict/io-ahead/known-bandwidth.ts';

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

function ended(startAt: number, endAt: number, readBytes: number | null, writtenBytes: number | null): EndedRecord {
  const job = { nativeId: '1', user: null, queue: null, processors: 1, requestedWalltimeSeconds: null };
  const use = { cpuSeconds: null, memoryBytes: null, readBytes, writtenBytes };
  return { ...job, submitAt: startAt, startAt, endAt, outcome: 'COMPLETED', use };
}

test('a site that tells no bytes has no level; one that does has that of its slots, in any order', () => {
  const told = [
    ended(0, 300, 300, 300),
    ended(600, 1200, null, 6000),
    ended(150, 450, 600, 0),
    ended(0, 900, null, null),
  ];
  const [there, back] = [new KnownBandwidth(), new KnownBandwidth()];
  expect(there.burstBytesPerSecond).toBeNull();
  there.ended(ended(0, 900, null, null));
  expect(there.burstBytesPerSecond).toBeNull();
  for (const record of told) there.ended(record);
  for (const record of told.toReversed()) back.ended(record);
  // The slots have 3, 1, 10, 10 and, as the last job ends with it, 0 bytes per second.
  const [mean, slots] = [24 / 5, [3, 1, 10, 10, 0]];
  expect(there.burstBytesPerSecond).toBeCloseTo(mean + standardDeviation(slots), 9);
  expect(back.burstBytesPerSecond).toBeCloseTo(mean + standardDeviation(slots), 9);
});

test('what a site did more than four weeks ago does not count, and no job takes more than their slots', () => {
  const [known, anew] = [new KnownBandwidth(), new KnownBandwidth()];
  const later = 60 * 86_400;
  known.ended(ended(0, 3600, 1e15, 1e15));
  for (const one of [known, anew]) one.ended(ended(later, later + 28 * 86_400, 1e6, 1e6));
  known.ended(ended(300, 600, 1e15, 1e15));
  expect(known.burstBytesPerSecond).toBeCloseTo(anew.burstBytesPerSecond ?? 0, 9);
});
