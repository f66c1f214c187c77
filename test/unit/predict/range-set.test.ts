import { describe, expect, test } from 'vitest';
import {
  denseRanges,
  densityOf,
  mostProbable,
  pooled,
  quantilesOf,
  shortened,
} from '../../../src/predict/runtime/range-set/density.ts';
import { KnownRuntimes } from '../../../src/predict/runtime/range-set/known-runtimes.ts';
import { loadFunctions } from '../../../src/predict/runtime/range-set/load-functions.ts';
import { MachineLoad } from '../../../src/predict/runtime/range-set/machine-load.ts';
import { printedRanges } from '../../../src/predict/runtime/range-set/printed-ranges.ts';
import { pointOf, probableRanges } from '../../../src/predict/runtime/range-set/probable-ranges.ts';
import { RangeSet } from '../../../src/predict/runtime/range-set.ts';

const known = (seconds: number, load = 0.5) => ({ seconds, load, requestedWalltimeSeconds: 1000, number: 0 });

function job(nativeId: string, processors: number, startAt: number, endAt: number) {
  const request = { user: 'ann', queue: null, processors, requestedWalltimeSeconds: null };
  return { nativeId, ...request, submitAt: startAt, startAt, endAt, outcome: null };
}

test('by hand: the load while a job ran, and that of the last week', () => {
  const load = new MachineLoad();
  load.sized(10);
  load.started({ ...job('a', 5, 0, 0), endAt: null });
  load.started({ ...job('b', 5, 50, 0), endAt: null });
  expect(load.ended(job('a', 5, 0, 100))).toBeCloseTo((5 * 100 + 5 * 50) / (100 * 10), 9);
  expect(load.ended(job('b', 5, 50, 7200))).toBeCloseTo((5 * 50 + 5 * 7150) / (7150 * 10), 9);
  expect(load.ended(job('never begun', 5, 0, 7200))).toBeNull();
  expect(load.expected(7200)).toBeCloseTo((5 * 100 + 5 * 7150) / (7200 * 10), 9);
});

test('a load function is the line through the longest chain of averages; too narrow loads have none', () => {
  const rising = Array.from({ length: 20 }, (_, i) => known(1000 + 500 * (i / 20 + 0.025), i / 20 + 0.025));
  const [line] = loadFunctions([[...rising, known(90_000, 0.31)]]);
  expect(line?.atRestSeconds).toBeCloseTo(1000, 6);
  expect(line?.rise).toBeCloseTo(500, 6);
  expect(loadFunctions([rising.filter(({ load }) => load < 0.5)])).toEqual([]);
  expect(loadFunctions([rising.slice(0, 9)])).toEqual([]);
});

test('relevant are the ten newest, and older ones until 90 % of the whole range are spanned', () => {
  const runtimes = new KnownRuntimes(100, false);
  for (const seconds of [0, 1000, 50, 950, ...Array.from({ length: 12 }, () => 500)]) runtimes.add(known(seconds));
  expect(runtimes.relevant.map(({ seconds }) => seconds).slice(0, 3)).toEqual([50, 950, 500]);
  const steady = new KnownRuntimes(100, false);
  for (let i = 0; i < 30; i++) steady.add(known(500));
  expect(steady.relevant).toHaveLength(10);
});

describe('the ranges as the paper prints them', () => {
  const functions = [
    { atRestSeconds: 1000, rise: 0 },
    { atRestSeconds: 1000, rise: 1000 },
  ];

  test('a runtime is shifted along each load function, and the range compacted to 20 %', () => {
    expect(printedRanges([known(1000)], functions, 0.6)).toEqual([{ fromSeconds: 1000, toSeconds: 1100 }]);
    const [wide] = printedRanges([known(1000)], functions, 1);
    expect(wide?.fromSeconds).toBeCloseTo(1250 * 0.9, 6);
    expect(wide?.toSeconds).toBeCloseTo(1250 * 1.1, 6);
  });

  test('those that overlap by half are merged, others cut apart', () => {
    const merged = printedRanges([known(1000), known(1040), known(1130)], functions, 0.6);
    expect(merged).toEqual([
      { fromSeconds: 1000, toSeconds: 1140 },
      { fromSeconds: 1140, toSeconds: 1230 },
    ]);
  });
});

test('a range is as probable as jobs ran as long; new ones share a tenth, and the point weighs the middles', () => {
  const spans = [
    { fromSeconds: 0, toSeconds: 100 },
    { fromSeconds: 200, toSeconds: 300 },
    { fromSeconds: 400, toSeconds: 500 },
  ];
  const ranges = probableRanges(spans, [known(50), known(60), known(250), known(9999)]);
  expect(ranges.map(({ probability }) => probability)).toEqual([0.6, expect.closeTo(0.3, 9), 0.1]);
  expect(pointOf(ranges)).toBeCloseTo(0.6 * 50 + 0.3 * 250 + 0.1 * 450, 9);
  expect(probableRanges(spans, []).map(({ probability }) => probability)).toEqual([1 / 3, 1 / 3, 1 / 3]);
});

test('edges add up to cells; dense ones make ranges, all of them percentiles', () => {
  const edges = (at: number[], change: number[]) => ({ at: Float64Array.from(at), change: Float64Array.from(change) });
  const cells = densityOf([edges([0, 50], [0.005, 0.01]), edges([100, 100], [-0.005, -0.01])]);
  expect(cells).toEqual([
    { fromSeconds: 0, toSeconds: 50, perSecond: 0.005 },
    { fromSeconds: 50, toSeconds: 100, perSecond: expect.closeTo(0.015, 12) },
  ]);
  expect(denseRanges(cells, 0.01)).toEqual([{ fromSeconds: 50, toSeconds: 100, probability: expect.closeTo(0.75, 9) }]);
  expect(denseRanges(cells, 0.001)).toHaveLength(1);
  expect(quantilesOf(cells, [0.25, 0.5])).toEqual([expect.closeTo(50, 6), expect.closeTo(50 + 0.25 / 0.015, 6)]);
});

test('the most probable of many ranges stay, together certain; a long one is cut around its middle', () => {
  const many = Array.from({ length: 30 }, (_, i) => ({ fromSeconds: 10 * i, toSeconds: 10 * i + 5, probability: i }));
  const kept = mostProbable(many);
  expect(kept.map(({ fromSeconds }) => fromSeconds)).toEqual(Array.from({ length: 25 }, (_, i) => 10 * (i + 5)));
  expect(kept.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 9);
  expect(shortened([{ fromSeconds: 100, toSeconds: 200, probability: 0.3 }], 10)).toEqual([
    { fromSeconds: 145, toSeconds: 155, probability: 0.3 },
  ]);
  expect(shortened([{ fromSeconds: 100, toSeconds: 200, probability: 0.3 }], 500)[0]?.toSeconds).toBe(200);
});

test('ranges beside others are not longer than what the runtimes of its like are apart', () => {
  const predictor = new RangeSet();
  for (const [i, ran] of [1000, 1001].entries()) predictor.ended(job(`${i}`, 4, i * 5000, i * 5000 + ran));
  const others = [300, 2000, 7000, 20_000].map((seconds) => ({ runtime: known(seconds), weight: 0.25 }));
  const asked = { user: 'eve', queue: null, processors: 4, requestedWalltimeSeconds: null };
  const length = (ranges: readonly { fromSeconds: number; toSeconds: number }[]) =>
    ranges.reduce((sum, { fromSeconds, toSeconds }) => sum + toSeconds - fromSeconds, 0);
  expect(length(predictor.rangesBeside({ ...asked, user: 'ann' }, others))).toBeLessThanOrEqual(1 / 0.72);
  expect(predictor.rangesBeside(asked, others).length).toBeGreaterThan(0);
  expect(new RangeSet().rangesBeside(asked, others).length).toBeGreaterThan(0);
  expect(new RangeSet().rangesBeside(asked, [])).toEqual([]);
});

test('two densities in one: by hand, mostly the first, the more where the second is', () => {
  const first = [{ fromSeconds: 0, toSeconds: 10, perSecond: 0.1 }];
  const second = [{ fromSeconds: 5, toSeconds: 25, perSecond: 0.05 }];
  const [alone, both, other] = [0.08 * 0.01 ** 0.4, 0.09 * 0.06 ** 0.4, 0.01 * 0.06 ** 0.4];
  const total = 5 * alone + 5 * both + 15 * other;
  expect(pooled(first, second, 0.01)).toEqual([
    { fromSeconds: 0, toSeconds: 5, perSecond: expect.closeTo(alone / total, 12) },
    { fromSeconds: 5, toSeconds: 10, perSecond: expect.closeTo(both / total, 12) },
    { fromSeconds: 10, toSeconds: 25, perSecond: expect.closeTo(other / total, 12) },
  ]);
  const apart = [{ fromSeconds: 30, toSeconds: 40, perSecond: 0.1 }];
  expect(pooled(first, apart, 0.01).map(({ fromSeconds }) => fromSeconds)).toEqual([0, 30]);
});
