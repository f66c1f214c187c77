import { describe, expect, test } from 'vitest';
import { QUANTILE_COUNT } from '../../../../src/domain/forecast.ts';
import {
  type HazardExample,
  HazardTrees,
  type LaterFeatureRow,
} from '../../../../src/predict/wait/gridcast/hazard-trees.ts';
import { WAIT_HAZARD_DEFAULTS, WaitHazards } from '../../../../src/predict/wait/gridcast/wait-hazards.ts';

function rowOf(feature: number): LaterFeatureRow {
  return { values: Float32Array.of(feature), plannedWaitSeconds: [0, 0], timeOfDaySeconds: 0 };
}

function fitted(examples: readonly HazardExample[], waiting: readonly HazardExample[] = []): WaitHazards {
  const model = new WaitHazards({ ...WAIT_HAZARD_DEFAULTS, fewestExamples: 1 });
  for (const example of examples) model.learn(example);
  model.beginFit(waiting);
  model.finishFit();
  return model;
}

function wait(feature: number, waitSeconds: number, isOver = true): HazardExample {
  return { features: rowOf(feature), waitSeconds, isOver };
}

const spread = (length: number, of: (i: number) => HazardExample) => Array.from({ length }, (_, i) => of(i));

describe('distribution of a wait from hazards', () => {
  test('two kinds of jobs: one that starts at once but for a fifth, one that waits between two and three hours', () => {
    const model = fitted([
      ...spread(2000, (i) => wait(0, i % 5 === 0 ? 5000 : 0)),
      ...spread(2000, (i) => wait(1, 7300 + ((i * 7919) % 3400))),
    ]);
    const [quick, slow] = [model.percentiles(rowOf(0)), model.percentiles(rowOf(1))];
    expect([quick[49], quick[74]]).toEqual([0, 0]);
    expect(quick[89]).toBeGreaterThan(3600);
    expect(quick[94]).toBeLessThanOrEqual(7200);
    expect(slow[9]).toBeGreaterThan(7200);
    expect(slow[49]).toBeGreaterThan(8400);
    expect(slow[49]).toBeLessThan(9600);
    expect(slow[89]).toBeLessThanOrEqual(10_800);
  });

  test('99 percentiles that never fall, infinite beyond the last interval', () => {
    const model = fitted(spread(1000, (i) => wait(0, i % 2 === 0 ? (i * 7919) % 20_000 : 1e6)));
    const percentiles = Array.from(model.percentiles(rowOf(0)));
    expect(percentiles).toHaveLength(QUANTILE_COUNT);
    expect(percentiles).toEqual([...percentiles].sort((a, b) => a - b));
    expect(percentiles[19]).toBeLessThan(20_000);
    expect(percentiles[79]).toBe(Number.POSITIVE_INFINITY);
  });

  test('who still waits makes longer waits more likely', () => {
    const known = spread(600, () => wait(0, 200));
    const still = spread(600, () => wait(0, 20_000, false));
    expect(fitted(known).percentiles(rowOf(0))[89]).toBeLessThan(3600);
    expect(fitted(known, still).percentiles(rowOf(0))[39]).toBeLessThan(300);
    expect(fitted(known, still).percentiles(rowOf(0))[89]).toBeGreaterThan(14_400);
  });

  test('rows are made, columns binned and trees grown in steps; what is said is the same', () => {
    const examples = spread(400, (i) => wait(i % 9, 30 + ((i * 7919) % 30_000), i % 7 > 0));
    const boosting = { ...WAIT_HAZARD_DEFAULTS.boosting, trees: 5, fewestRows: 5 };
    const [once, slow] = [new HazardTrees(examples, boosting, 1), new HazardTrees(examples, boosting, 1)];
    while (!once.isGrown) once.grow();
    let steps = 0;
    for (; !slow.isGrown; steps++) slow.grow(1);
    const columns = 1 + 4;
    expect(steps).toBe(examples.length + columns + boosting.trees);
    for (let feature = 0; feature < 9; feature++)
      expect(slow.hazards(rowOf(feature))).toEqual(once.hazards(rowOf(feature)));
  });

  test('before the first fit nothing is known', () => {
    const model = new WaitHazards(WAIT_HAZARD_DEFAULTS);
    model.learn(wait(0, 0));
    expect(model.isFitted).toBe(false);
    expect(model.isDue).toBe(false);
    expect(new Set(model.percentiles(rowOf(0)))).toEqual(new Set([Number.POSITIVE_INFINITY]));
  });
});
