import { describe, expect, test } from 'vitest';
import { LikeRuns } from '../../../src/predict/runtime/gridcast/like-runs.ts';
import { LikeWaits } from '../../../src/predict/wait/gridcast/like-waits.ts';
import { BoostedMedian } from '../../../src/stats/boosted-median.ts';
import { BoostedOdds } from '../../../src/stats/boosted-odds.ts';
import type { BoostedTrees, BoostingParameters } from '../../../src/stats/boosted-trees.ts';

const ROWS = 300;
const WIDTH = 12;
const DEPTH = 8;
const GROWTH: BoostingParameters = {
  ...{ trees: 6, learningRate: 0.3, rowShare: 0.5, featureShare: 0.5, mostLeaves: DEPTH, fewestRows: 5 },
};
const VALUES = Float32Array.from({ length: ROWS * WIDTH }, (_, i) => (i % 29 === 0 ? Number.NaN : (i * 7919) % 211));
const answers = (model: BoostedTrees) => Array.from({ length: ROWS }, (_, row) => model.predict(VALUES, row * WIDTH));

/** The values, and how often one of them was read. */
function counted(): { values: Float32Array; reads: () => number } {
  let reads = 0;
  const values = new Proxy(VALUES, {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
      return Reflect.get(target, key, target);
    },
  });
  return { values, reads: () => reads };
}

const LOSSES: [string, (values: Float32Array) => BoostedTrees][] = [
  [
    'median',
    (values) =>
      new BoostedMedian(
        values,
        Float64Array.from({ length: ROWS }, (_, i) => i % 37),
        GROWTH,
        5,
      ),
  ],
  [
    'odds',
    (values) =>
      new BoostedOdds(
        values,
        Uint8Array.from({ length: ROWS }, (_, i) => i & 1),
        GROWTH,
        5,
      ),
  ],
];

describe.each(LOSSES)('boosting the %s in steps', (_, modelOf) => {
  test('no value is looked at before the first step, and no step looks at more than a column or a tree takes', () => {
    const { values, reads } = counted();
    const model = modelOf(values);
    expect(reads()).toBe(0);
    let steps = 0;
    for (let before = 0; !model.isGrown; before = reads(), steps++) {
      model.grow(1);
      expect(reads() - before).toBeLessThanOrEqual(DEPTH * ROWS);
    }
    expect(steps).toBe(WIDTH + GROWTH.trees);
  });

  test('what a step may look at decides how many there are, and the trees are the same', () => {
    const once = modelOf(VALUES);
    once.grow();
    const stepsOf = (values: number) => {
      const model = modelOf(VALUES);
      let steps = 0;
      for (; !model.isGrown; steps++) model.grow(values);
      expect(answers(model)).toEqual(answers(once));
      return steps;
    };
    const [column, tree] = [ROWS * Math.log2(ROWS + 1), (ROWS * WIDTH * Math.log2(DEPTH)) / 4];
    expect(stepsOf(3 * Math.max(column, tree))).toBe(4 + 2);
    expect(stepsOf(WIDTH * column + 6 * tree)).toBe(1);
  });
});

describe('waits and runs of like jobs, in steps', () => {
  const rows = Array.from({ length: ROWS }, (_, i) => VALUES.slice(i * WIDTH, (i + 1) * WIDTH));
  const waitsOf = () =>
    new LikeWaits(
      rows.map((features, i) => ({ features, waitSeconds: (i % 37) ** 2 })),
      WIDTH,
      GROWTH,
      5,
    );
  const runsOf = () =>
    new LikeRuns(
      rows.map((features, i) => ({ features, scaleSeconds: 100, share: (i % 37) / 37 })),
      { trees: 6, learningRate: 0.3, sharpness: 4 },
      5,
    );

  test.each([
    ['waits', waitsOf],
    ['runs', runsOf],
  ])('%s: a step is a column, a tree, or the leaves of a tree; the answers are the same', (_, modelOf) => {
    const [once, slow] = [modelOf(), modelOf()];
    let steps = 0;
    while (!once.isGrown) once.grow();
    for (; !slow.isGrown; steps++) slow.grow(1);
    expect(steps).toBe(WIDTH + 2 * GROWTH.trees);
    const said = (model: LikeWaits | LikeRuns) =>
      rows.map((features) => {
        const spread = model.spreadOf(model.leavesOf(features));
        return 'rootsAt' in spread ? spread.rootsAt([0.1, 0.5, 0.9]) : spread.at([0.1, 0.5, 0.9]);
      });
    expect(said(slow)).toEqual(said(once));
  });
});
