import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BinnedColumns, binColumn, binOf, MOST_BINS } from '../../../src/stats/binned-columns.ts';
import { BoostedMedian } from '../../../src/stats/boosted-median.ts';
import { BoostedOdds } from '../../../src/stats/boosted-odds.ts';
import type { BoostingParameters } from '../../../src/stats/boosted-trees.ts';
import { PackedTrees } from '../../../src/stats/packed-trees.ts';
import { growTree, treeValue } from '../../../src/stats/regression-tree.ts';

function binned(values: Float32Array, width: number): BinnedColumns {
  const columns = Array.from({ length: width }, (_, column) => binColumn(values, width, column));
  return { columns: columns.map(({ bins }) => bins), ends: columns.map(({ ends }) => ends) };
}

describe('binned columns', () => {
  test('few values get a bin each, unknown ones bin 0', () => {
    const table = binned(Float32Array.of(5, 1, Number.NaN, 1, 7, 2), 2);
    expect(table.ends.map((ends) => [...ends])).toEqual([[5], [1]]);
    expect(table.columns.map((column) => [...column])).toEqual([
      [1, 0, 2],
      [1, 1, 2],
    ]);
  });

  test('many values share bins of about as many rows, in their order', () => {
    const values = Float32Array.from({ length: 6300 }, (_, i) => (i * 1009) % 6300);
    const { columns, ends } = binned(values, 1);
    const counts = new Array<number>(MOST_BINS).fill(0);
    for (const bin of columns[0] as Uint8Array) counts[bin] = (counts[bin] as number) + 1;
    expect(counts[0]).toBe(0);
    expect(Math.max(...counts)).toBeLessThanOrEqual(202);
    expect(binOf(0, ends[0] as Float64Array)).toBe(1);
    expect(binOf(1e9, ends[0] as Float64Array)).toBe((ends[0]?.length ?? 0) + 1);
  });

  test('a bin ends with the value it is named by', () => {
    const ends = Float64Array.of(1, 3);
    expect([0, 1, 1.5, 3, 4, Number.NaN].map((value) => binOf(value, ends))).toEqual([1, 1, 2, 2, 3, 0]);
  });
});

describe('regression tree', () => {
  const grown = (
    rows: readonly (readonly number[])[],
    targets: readonly number[],
    mostLeaves: number,
    fewestRows: number,
  ) => {
    const table = binned(Float32Array.from(rows.flat()), rows[0]?.length ?? 0);
    const answers = Float64Array.from(targets);
    const features = Int32Array.from(rows[0] ?? [], (_, i) => i);
    const mean = (of: Int32Array) => of.reduce((sum, row) => sum + (answers[row] as number), 0) / of.length;
    return growTree(
      table,
      Int32Array.from(rows.keys()),
      { values: answers, weights: null },
      features,
      { mostLeaves, fewestRows },
      mean,
    );
  };

  test('packed with others it answers the same, of unknown values, too', () => {
    const cell = fc.option(fc.integer({ min: 0, max: 20 }), { nil: Number.NaN });
    const cells = fc.array(fc.tuple(cell, cell), { minLength: 6, maxLength: 40 });
    fc.assert(
      fc.property(cells, (rows) => {
        const trees = [5, 3].map((mostLeaves) =>
          grown(
            rows,
            rows.map(([a], i) => (a || 7) * i),
            mostLeaves,
            1,
          ),
        );
        const packed = new PackedTrees(2, 9);
        for (const tree of trees) packed.push(tree);
        for (const row of [...rows, [Number.NaN, 21], [-1, Number.NaN]]) {
          const answers = trees.map((tree) => treeValue(tree, row));
          expect(packed.sum(1, row, 0)).toBe(1 + (answers[0] as number) + (answers[1] as number));
          expect(packed.sumOfLeaves(1, packed.leaves(row, 0))).toBe(packed.sum(1, row, 0));
          expect(packed.sum(0, [5, ...row], 1)).toBe(packed.sum(0, row, 0));
        }
      }),
    );
  });

  test('by hand: the split that lowers the squared error most comes first', () => {
    const rows = [
      [1, 0],
      [2, 9],
      [3, 0],
      [4, 9],
    ];
    const stump = grown(rows, [0, 0, 10, 12], 2, 1);
    expect([stump.feature[0], stump.threshold[0]]).toEqual([0, 2]);
    expect(rows.map((row) => treeValue(stump, row))).toEqual([0, 0, 11, 11]);
    const tree = grown(rows, [0, 0, 10, 12], 3, 1);
    expect(rows.map((row) => treeValue(tree, row))).toEqual([0, 0, 10, 12]);
  });

  test('unknown values go to the side that suits them', () => {
    const tree = grown([[1], [2], [8], [9], [Number.NaN], [Number.NaN]], [0, 0, 6, 6, 6, 6], 2, 1);
    expect(treeValue(tree, [Number.NaN])).toBe(6);
    expect(treeValue(tree, [1.5])).toBe(0);
    const other = grown([[1], [2], [8], [9], [Number.NaN], [Number.NaN]], [0, 0, 6, 6, 0, 0], 2, 1);
    expect(treeValue(other, [Number.NaN])).toBe(0);
  });

  test('that a value is unknown can be all that matters', () => {
    const tree = grown([[1], [1], [Number.NaN], [Number.NaN]], [0, 0, 4, 4], 2, 1);
    expect([1, Number.NaN].map((value) => treeValue(tree, [value]))).toEqual([0, 4]);
  });

  test('leaves keep the least number of rows, alike targets are not split', () => {
    const tree = grown([[1], [2], [3], [4], [5]], [9, 0, 0, 0, 0], 5, 2);
    expect(treeValue(tree, [1])).toBe(4.5);
    expect(grown([[1], [2], [3]], [7, 7, 7], 3, 1).feature[0]).toBe(-1);
  });

  test('as scikit-learn 1.2.1, DecisionTreeRegressor(max_leaf_nodes=6, min_samples_leaf=3)', () => {
    const rows = Array.from({ length: 40 }, (_, i) => [(i * 7) % 40, (i * i) % 11, (i * 3) % 5]);
    const targets = rows.map(([a = 0, b = 0, c = 0]) => (a * a) / 50 + 3 * b - (c > 2 ? 4 : 0));
    const tree = grown(rows, targets, 6, 3);
    const expected = [
      1.48, 1.48, 14.185, 30.025714, 22.113333, 31.82, 1.48, 14.185, 30.025714, 22.113333, 22.113333, 31.82, 1.48,
      14.185, 30.025714, 22.113333, 22.113333, 31.82, 13.17, 30.025714, 22.113333, 22.113333, 22.113333, 1.48, 13.17,
      30.025714, 22.113333, 22.113333, 31.82, 13.17, 30.025714, 14.185, 22.113333, 22.113333, 31.82, 13.17, 30.025714,
      22.113333, 22.113333, 22.113333,
    ];
    rows.forEach((row, i) => {
      expect(treeValue(tree, row)).toBeCloseTo(expected[i] as number, 5);
    });
  });
});

describe('boosted median', () => {
  const WHOLE: BoostingParameters = {
    trees: 1,
    learningRate: 1,
    rowShare: 1,
    featureShare: 1,
    mostLeaves: 2,
    fewestRows: 1,
  };

  function boostMedian(values: Float32Array, targets: Float64Array, parameters: BoostingParameters, seed: number) {
    const model = new BoostedMedian(values, targets, parameters, seed);
    model.grow();
    return model;
  }

  test('by hand: one tree, two leaves, each with its median', () => {
    const model = boostMedian(Float32Array.of(1, 2, 3, 4, 5), Float64Array.of(0, 1, 5, 9, 100), WHOLE, 1);
    expect([1, 2, 3, 4, 5].map((value) => model.predict([value]))).toEqual([0, 0, 9, 9, 9]);
  });

  test('by hand: half of the tree is taken over, the second tree sees what is left', () => {
    const values = Float32Array.of(1, 1, 1, 2, 2, 2);
    const targets = Float64Array.of(0, 0, 0, 8, 8, 8);
    const halves = (trees: number) => boostMedian(values, targets, { ...WHOLE, trees, learningRate: 0.5 }, 1);
    expect([0, 1, 2, 3].map((trees) => halves(trees).predict([2]))).toEqual([0, 4, 6, 7]);
  });

  test('the same seed gives the same ensemble, another one another', () => {
    const values = Float32Array.from({ length: 400 }, (_, i) => (i * 7919) % 101);
    const targets = Float64Array.from({ length: 200 }, (_, i) => ((i * 104_729) % 37) + (values[2 * i] as number));
    const drawing = { ...WHOLE, trees: 5, rowShare: 0.5, featureShare: 0.5, mostLeaves: 8 };
    const answers = (seed: number) => {
      const model = boostMedian(values, targets, drawing, seed);
      return Array.from({ length: 20 }, (_, i) => model.predict(values, 2 * i));
    };
    expect(answers(3)).toEqual(answers(3));
    expect(answers(3)).not.toEqual(answers(4));
  });

  test('errs no more with trees than without on what it has seen', () => {
    const rows = fc.array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: -9, max: 99 })), {
      minLength: 5,
      maxLength: 60,
    });
    fc.assert(
      fc.property(rows, (drawn) => {
        const values = Float32Array.from(drawn, ([value]) => value);
        const targets = Float64Array.from(drawn, ([, target]) => target);
        const errorOf = (trees: number) => {
          const model = boostMedian(values, targets, { ...WHOLE, trees, learningRate: 0.5 }, 1);
          return drawn.reduce((sum, [value, target]) => sum + Math.abs(model.predict([value]) - target), 0);
        };
        expect(errorOf(20)).toBeLessThanOrEqual(errorOf(0) + 1e-9);
      }),
      { numRuns: 50 },
    );
  });
});

test.each([
  [
    'medians',
    (rows: Float32Array, own: BoostingParameters) =>
      new BoostedMedian(
        rows,
        Float64Array.from(rows, (x) => x * x),
        own,
        1,
      ),
  ],
  [
    'odds',
    (rows: Float32Array, own: BoostingParameters) =>
      new BoostedOdds(
        rows,
        Uint8Array.from(rows, (x) => (x > 60 ? 1 : 0)),
        own,
        1,
      ),
  ],
])('courses of %s begin anew and are told as their mean', (_, grown) => {
  const rows = Float32Array.from({ length: 200 }, (_, i) => (i * 37) % 101);
  const said = (trees: number, courses: number) => {
    const model = grown(rows, {
      trees,
      courses,
      learningRate: 0.3,
      mostLeaves: 4,
      fewestRows: 5,
      rowShare: 1,
      featureShare: 1,
    });
    model.grow();
    return [0, 20, 50, 80, 100].map((x) => model.predict([x]));
  };
  // Where nothing is drawn all courses are alike.
  said(10, 2).forEach((value, i) => {
    expect(value).toBeCloseTo(said(5, 1)[i] as number, 9);
  });
  expect(said(10, 2)).not.toEqual(said(10, 1));
});
