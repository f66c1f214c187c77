import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BoostedMedian } from '../../../src/stats/boosted-median.ts';
import { LeafLikeness } from '../../../src/stats/leaf-likeness.ts';
import { weightedMedian } from '../../../src/stats/weighted-median.ts';
import { RisingQuantiles } from '../../../src/stats/weighted-quantiles.ts';

const ONE_TREE = { trees: 1, learningRate: 1, rowShare: 1, featureShare: 1, mostLeaves: 2, fewestRows: 1 };

describe('the weighted median', () => {
  test.each([
    [[1, 2, 3], [1, 1, 1], 2],
    [[3, 1, 2], [10, 1, 1], 3],
    [[5, 1], [1, 1], 1],
    [[7], [0.1], 7],
  ])('of %j with weights %j is %d', (values, weights, median) => {
    expect(weightedMedian(Float64Array.from(values), Float64Array.from(weights))).toBe(median);
  });
});

describe('quantiles of rising weighted values', () => {
  const quantiles = (values: number[], weights: number[], levels: number[]) =>
    new RisingQuantiles(Float64Array.from(values), Float64Array.from(weights)).at(levels);

  test('are the values at which the weights reach the levels', () => {
    expect(quantiles([1, 2, 3, 4], [1, 0, 2, 1], [0.76, 0.25, 0.3, 0.75])).toEqual([4, 1, 3, 3]);
  });

  test('below 0 and above 1 are the ends of what has a weight', () => {
    expect(quantiles([1, 2, 3, 4], [0, 1, 1, 0], [-0.1, 1.1])).toEqual([2, 3]);
  });

  test('are what adding up the weights one after the other gives', () => {
    const weight = fc.oneof(fc.constant(0), fc.double({ min: 1e-6, max: 1, noNaN: true }));
    const some = fc.array(weight, { minLength: 1, maxLength: 60 }).filter((weights) => weights.some((one) => one > 0));
    fc.assert(
      fc.property(some, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 10 }), (weights, levels) => {
        const total = weights.reduce((sum, one) => sum + one, 0);
        const last = weights.findLastIndex((one) => one > 0);
        const expected = levels.map((level) => {
          let reached = 0;
          const found = weights.findIndex((one) => {
            reached += one;
            return reached > 0 && reached >= level * total - 1e-12;
          });
          return found === -1 ? last : Math.min(found, last);
        });
        expect(quantiles([...weights.keys()], weights, levels)).toEqual(expected);
      }),
    );
  });
});

describe('boosting with weights', () => {
  test('splits where the heavy rows differ', () => {
    const values = Float32Array.from([0, 0, 0, 1, 1, 0, 1, 1]);
    const targets = Float64Array.from([0, 10, 0, 10]);
    const heavy = new BoostedMedian(values, targets, ONE_TREE, 1, Float64Array.from([100, 1, 100, 1]));
    heavy.grow();
    expect(heavy.predict([0, 0])).toBe(0);
    expect(heavy.predict([0, 1])).toBe(10);
    const other = new BoostedMedian(values, Float64Array.from([0, 0, 10, 10]), ONE_TREE, 1, targets.fill(2));
    other.grow();
    expect([other.predict([0, 1]), other.predict([1, 0])]).toEqual([0, 10]);
  });

  test('with equal weights says what it says without', () => {
    const values = Float32Array.from({ length: 200 }, (_, i) => (i * 37) % 50);
    const targets = Float64Array.from({ length: 100 }, (_, i) => ((i * 61) % 17) + (values[2 * i] as number));
    const parameters = { trees: 20, learningRate: 0.1, rowShare: 0.6, featureShare: 1, mostLeaves: 6, fewestRows: 3 };
    const plain = new BoostedMedian(values, targets, parameters, 7);
    const weighted = new BoostedMedian(values, targets, parameters, 7, new Float64Array(100).fill(3));
    plain.grow();
    weighted.grow();
    for (let row = 0; row < 100; row++) {
      expect(weighted.predict(values, 2 * row)).toBeCloseTo(plain.predict(values, 2 * row), 9);
    }
  });
});

describe('likeness', () => {
  test('is that of leaf against leaf, in leaves that hold few rows and most of them', () => {
    const rows = 400;
    const values = Float32Array.from({ length: 2 * rows }, (_, i) => (i * 37) % 101);
    const targets = Float64Array.from({ length: rows }, (_, row) => ((values[2 * row] as number) > 90 ? 50 + row : 1));
    const trees = new BoostedMedian(values, targets, { ...ONE_TREE, trees: 30, mostLeaves: 5, rowShare: 0.6 }, 3);
    trees.grow();
    const likeness = new LeafLikeness(trees, values, rows);
    likeness.build();
    const leavesOf = Array.from({ length: rows }, (_, row) => trees.leaves(values.subarray(2 * row, 2 * row + 2)));
    let largest = 0;
    for (const asked of [0, 1, 5, 17, 80, 399]) {
      const leaves = leavesOf[asked] as Int32Array;
      const expected = leavesOf.map((own) => own.reduce((sum, leaf, tree) => sum + Number(leaf === leaves[tree]), 0));
      expect([...likeness.countsFor(leaves)]).toEqual(expected);
      largest = Math.max(largest, expected.filter((count) => count > 15).length);
    }
    expect(largest).toBeGreaterThan(rows / 2);
  });

  test.each([
    [1, 33, 3],
    [8, 32, 2],
    [255, 70, 9],
    [500, 31, 4],
  ])('of %d trees and %d rows is that of leaf against leaf, with %d leaves', (count, rows, mostLeaves) => {
    const values = Float32Array.from({ length: 2 * rows }, (_, i) => (i * 41) % 59);
    const targets = Float64Array.from({ length: rows }, (_, row) => (values[2 * row] as number) ** 2 % 37);
    const growth = { ...ONE_TREE, trees: count, mostLeaves, rowShare: 0.7, learningRate: 0.1 };
    const trees = new BoostedMedian(values, targets, growth, 5);
    trees.grow();
    const likeness = new LeafLikeness(trees, values, rows);
    likeness.build();
    const leavesOf = Array.from({ length: rows }, (_, row) => trees.leaves(values, 2 * row));
    for (const leaves of leavesOf) {
      const expected = leavesOf.map((own) => own.reduce((sum, leaf, tree) => sum + Number(leaf === leaves[tree]), 0));
      expect([...likeness.countsFor(leaves)]).toEqual(expected);
    }
    expect(Math.max(...likeness.countsFor(leavesOf[0] as Int32Array))).toBe(count);
  });

  test('counts the trees that put two rows together', () => {
    const values = Float32Array.from([0, 1, 10, 11]);
    const trees = new BoostedMedian(values, Float64Array.from([5, 5, 50, 50]), { ...ONE_TREE, trees: 3 }, 1);
    trees.grow();
    const likeness = new LeafLikeness(trees, values, 4);
    likeness.build();
    const [near, same, far] = likeness.countsFor(trees.leaves([0.5]));
    expect([near, same]).toEqual([3, 3]);
    expect(far).toBeLessThan(3);
    expect(likeness.countsFor(trees.leaves([10.5]))[2]).toBe(3);
  });

  test('is the same built at once and tree by tree', () => {
    const values = Float32Array.from({ length: 300 }, (_, i) => (i * 53) % 71);
    const targets = Float64Array.from({ length: 100 }, (_, i) => (values[3 * i] as number) + ((i * 31) % 7));
    const trees = new BoostedMedian(values, targets, { ...ONE_TREE, trees: 9, mostLeaves: 6, learningRate: 0.3 }, 1);
    trees.grow();
    const [atOnce, slowly] = [new LeafLikeness(trees, values, 100), new LeafLikeness(trees, values, 100)];
    atOnce.build();
    const fourTrees = 4 * 100 * Math.log2(trees.mostNodes);
    for (let steps = 1; !slowly.isBuilt; steps++) {
      slowly.build(fourTrees);
      expect(slowly.isBuilt).toBe(steps === 3);
    }
    const leaves = trees.leaves([20, 30, 40]);
    const together = (row: number) =>
      trees.leaves(values, 3 * row).filter((leaf, tree) => leaf === leaves[tree]).length;
    expect([...slowly.countsFor(leaves)]).toEqual([...atOnce.countsFor(leaves)]);
    expect([...atOnce.countsFor(leaves)]).toEqual(Array.from({ length: 100 }, (_, row) => together(row)));
  });
});
