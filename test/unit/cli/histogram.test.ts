import { expect, test } from 'vitest';
import { countOf, quantileBound, readHistogram, sinceReading } from '../../../src/cli/bench/histogram.ts';
import { addHistograms } from '../../lab/hour/add-histograms.ts';

const METRICS = `# TYPE late histogram
late_bucket{le="1",kind="a"} 3
late_bucket{le="2",kind="a"} 4
late_bucket{le="+Inf",kind="a"} 4
late_bucket{le="1",kind="b"} 0
late_bucket{le="2",kind="b"} 5
late_bucket{le="+Inf",kind="b"} 6
late_sum{kind="a"} 3.5
`;

test('a histogram of several labels is read as one', () => {
  const late = readHistogram(METRICS, 'late');
  expect([...late]).toEqual([
    [1, 3],
    [2, 9],
    [Number.POSITIVE_INFINITY, 10],
  ]);
  expect(countOf(late)).toBe(10);
  expect([0.3, 0.31, 0.9, 0.91].map((share) => quantileBound(late, share))).toEqual([
    1,
    2,
    2,
    Number.POSITIVE_INFINITY,
  ]);
  expect(quantileBound(readHistogram(METRICS, 'other'), 0.5)).toBeNaN();
});

test('lives add up, and what came since an earlier reading is their difference', () => {
  const late = readHistogram(METRICS, 'late');
  const twice = addHistograms([late, late]);
  expect(countOf(twice)).toBe(20);
  expect(sinceReading(twice, late)).toEqual(late);
});
