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
