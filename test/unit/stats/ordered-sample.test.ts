import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OrderedSample } from '../../../src/stats/ordered-sample.ts';
import { SlidingSample } from '../../../src/stats/sliding-sample.ts';

const few = fc.integer({ min: 0, max: 20 });

test('behaves as a sorted array under inserts and removals', () => {
  fc.assert(
    fc.property(fc.array(few, { maxLength: 80 }), fc.array(few, { maxLength: 40 }), (inserts, removals) => {
      const sample = new OrderedSample();
      const model: number[] = [];
      for (const value of inserts) {
        sample.insert(value);
        model.push(value);
      }
      for (const value of removals) {
        const index = model.indexOf(value);
        if (index < 0) expect(() => sample.remove(value)).toThrow(RangeError);
        else {
          sample.remove(value);
          model.splice(index, 1);
        }
      }
      model.sort((a, b) => a - b);
      expect(sample.size).toBe(model.length);
      expect(model.map((_, i) => sample.at(i + 1))).toEqual(model);
      expect(sample.atAll(model.map((_, i) => i + 1))).toEqual(model);
    }),
  );
});

test('stays in order over many chunks', () => {
  const sample = new OrderedSample();
  for (let i = 0; i < 20_000; i++) sample.insert((i * 7919) % 20_011);
  for (let i = 0; i < 10_000; i++) sample.remove((i * 7919) % 20_011);
  const rest = Array.from({ length: 10_000 }, (_, i) => ((i + 10_000) * 7919) % 20_011).sort((a, b) => a - b);
  expect(sample.atAll(rest.map((_, i) => i + 1))).toEqual(rest);
});

test('ranks beyond the sample are refused, null ranks are infinite', () => {
  const sample = new OrderedSample();
  sample.insert(4);
  expect(() => sample.at(2)).toThrow(RangeError);
  expect(() => sample.atAll([2])).toThrow(RangeError);
  expect(sample.atAll([1, null])).toEqual([4, Number.POSITIVE_INFINITY]);
});

test('a sliding sample is the last values, sorted, after any additions and trims', () => {
  const step = fc.oneof(fc.record({ add: few }), fc.record({ trim: few }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), fc.integer({ min: 1, max: 15 }), (steps, capacity) => {
      const sample = new SlidingSample(capacity);
      let model: number[] = [];
      for (const one of steps) {
        if ('add' in one) {
          sample.add(one.add);
          model = [...model, one.add].slice(-capacity);
        } else {
          sample.trimTo(one.trim);
          model = one.trim === 0 ? [] : model.slice(-one.trim);
        }
      }
      expect([...sample.mostRecent(capacity)]).toEqual(model);
      expect(model.map((_, i) => sample.at(i + 1))).toEqual(model.sort((a, b) => a - b));
    }),
  );
});
