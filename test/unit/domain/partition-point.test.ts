import fc from 'fast-check';
import { expect, test } from 'vitest';
import { partitionPoint } from '../../../src/domain/partition-point.ts';

const sorted = fc.array(fc.integer({ min: -5, max: 5 })).map((values) => values.sort((a, b) => a - b));
const sought = fc.integer({ min: -7, max: 7 });

test('is the first index that is not below, however often a value is there', () => {
  fc.assert(
    fc.property(sorted, sought, (values, value) => {
      const first = values.findIndex((one) => one >= value);
      const found = partitionPoint(values.length, (index) => (values[index] as number) < value);
      expect(found).toBe(first === -1 ? values.length : first);
    }),
  );
});

test('is one behind the last that is not above', () => {
  fc.assert(
    fc.property(sorted, sought, (values, value) => {
      const found = partitionPoint(values.length, (index) => (values[index] as number) <= value);
      expect(found - 1).toBe(values.findLastIndex((one) => one <= value));
    }),
  );
});

test('is 0 of nothing, the length where all come before, and 0 where none does', () => {
  const never = () => expect.unreachable('there is no index to ask for');
  expect(partitionPoint(0, never)).toBe(0);
  expect(partitionPoint(7, () => true)).toBe(7);
  expect(partitionPoint(7, () => false)).toBe(0);
});

test('asks for few indices, each once and within the length', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (length, share) => {
      const at = Math.round(share * length);
      const asked: number[] = [];
      const found = partitionPoint(length, (index) => asked.push(index) > 0 && index < at);
      expect(found).toBe(at);
      expect(new Set(asked).size).toBe(asked.length);
      expect(asked.every((index) => index >= 0 && index < length)).toBe(true);
      expect(asked.length).toBeLessThanOrEqual(Math.floor(Math.log2(length)) + 1);
    }),
  );
});
