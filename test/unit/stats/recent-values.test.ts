import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecentValues } from '../../../src/stats/recent-values.ts';

test('the newest values are kept in their order, and who goes for a new one is told', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.array(fc.integer(), { maxLength: 150 }), (capacity, values) => {
      const recent = new RecentValues(capacity);
      values.forEach((value, i) => {
        expect(recent.add(value)).toBe(i < capacity ? null : values[i - capacity]);
        expect(recent.size).toBe(Math.min(capacity, i + 1));
      });
      expect([...recent.newest()]).toEqual(values.slice(-capacity));
      expect([...recent.newest(3)]).toEqual(values.slice(-Math.min(3, capacity)));
      recent.clear();
      expect([recent.size, recent.add(7), ...recent.newest()]).toEqual([0, null, 7]);
    }),
  );
});

test('rounded ones keep seven digits', () => {
  const recent = new RecentValues(20, true);
  const values = Array.from({ length: 30 }, (_, i) => 16_777_216 - i);
  for (const value of values) recent.add(value);
  expect([...recent.newest()]).toEqual(values.slice(-20));
  recent.add(1 / 3);
  expect(recent.newest(1)[0]).toBeCloseTo(1 / 3, 7);
});
