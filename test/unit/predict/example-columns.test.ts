import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExampleColumns } from '../../../src/predict/online/example-columns.ts';

/** A feature that hardly differs, never does, always does, is unknown now and then, or only told from some time on. */
function featuresOf(i: number, width: number): Float32Array {
  return Float32Array.from([i % 3, 7, i * 1.1, i % 5 === 0 ? Number.NaN : i % 17, -0, i / 3, i % 250]).slice(0, width);
}

function rowsOf(columns: ExampleColumns, count: number) {
  return columns.newest(count).map(({ features, numbers }) => [...features, ...numbers]);
}

test('examples come back as they were, whatever was forgotten and however many features there are', () => {
  const step = fc.record({
    add: fc.integer({ min: 0, max: 700 }),
    width: fc.integer({ min: 1, max: 7 }),
    keep: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 900 })),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
      const columns = new ExampleColumns(2);
      let expected: { features: Float32Array; numbers: number[] }[] = [];
      let [next, widest] = [0, 0];
      for (const { add, width, keep } of steps) {
        for (let i = 0; i < add; i++, next++) {
          const example = { features: featuresOf(next, width), numbers: [next, next / 7] };
          columns.push(example.features, example.numbers);
          expected.push(example);
          widest = Math.max(widest, width);
        }
        columns.keepNewest(keep);
        expected = keep === 0 ? [] : expected.slice(-keep);
        const rows = expected.map(({ features, numbers }) => {
          return [...Array.from({ length: widest }, (_, i) => features[i] ?? Number.NaN), ...numbers];
        });
        expect(columns.length).toBe(rows.length);
        expect(rowsOf(columns, 10_000)).toEqual(rows);
        expect(rowsOf(columns, 3)).toEqual(rows.slice(-3));
      }
    }),
    { numRuns: 60 },
  );
});

test('what hardly differs takes little', () => {
  const [alike, different] = [new ExampleColumns(0), new ExampleColumns(0)];
  const bytesOf = (columns: ExampleColumns) => JSON.stringify(columns).length;
  for (let i = 0; i < 5000; i++) {
    alike.push(Float32Array.of(i % 2, 1, Number.NaN), []);
    different.push(Float32Array.of(i, i + 1, i + 2), []);
  }
  expect(bytesOf(alike)).toBeLessThan(bytesOf(different) / 2);
});
