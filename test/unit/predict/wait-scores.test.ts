import { expect, test } from 'vitest';
import { WaitScorer } from '../../../src/predict/wait-scores.ts';
import { evenForecast, forecastOf } from '../plan/forecast-fixture.ts';

test('errors by hand: points of 500 s against waits of 50, 2,000 and 300,000 s', () => {
  const scorer = new WaitScorer();
  scorer.add(evenForecast(1000), 50, 450);
  scorer.add(evenForecast(1000), 2000, 1000);
  scorer.add(evenForecast(1000), 300_000, null);
  const score = scorer.score();
  expect(score).toMatchObject({ count: 3, unansweredCount: 0, medianWaitSeconds: 2000 });
  expect(score.averageAbsoluteErrorSeconds).toBeCloseTo((450 + 1500 + 299_500) / 3, 9);
  expect(score.scaledAverageAbsoluteError).toBeCloseTo((450 / 500 + 1500 / 3000) / 2, 9);
  expect(score.classes.map((one) => one.count)).toEqual([1, 0, 1, 0, 1]);
  expect(score.classes.map((one) => one.averageAbsoluteErrorSeconds)).toEqual([450, null, 1500, null, 299_500]);
});

test('coverage, pinball loss, Brier score and diagram of a right distribution', () => {
  const scorer = new WaitScorer();
  for (let i = 0; i < 1000; i++) scorer.add(evenForecast(1000), i + 0.5, 10);
  const score = scorer.score();
  for (const { level, share, medianBoundSeconds } of score.coverage) {
    expect(share).toBeCloseTo(level, 2);
    expect(medianBoundSeconds).toBeCloseTo(1000 * level, 6);
  }
  expect(score.pinballLossSeconds).toBeCloseTo(1000 / 12, -1);
  expect(score.brierScore).toBeCloseTo((0.06 * 0.94 + 0.6 * 0.4) / 5, 2);
  for (const bin of score.reliability) expect(bin.observedShare).toBeCloseTo(bin.meanForecast, 1);
});

test('jobs without an answer are counted, not averaged', () => {
  const scorer = new WaitScorer();
  scorer.add(
    forecastOf(() => Number.POSITIVE_INFINITY),
    60,
    60,
  );
  const score = scorer.score();
  expect(score).toMatchObject({
    count: 1,
    unansweredCount: 1,
    averageAbsoluteErrorSeconds: null,
    pinballLossSeconds: null,
  });
  expect(score.coverage.every((one) => one.share === 1 && one.medianBoundSeconds === Number.POSITIVE_INFINITY)).toBe(
    true,
  );
});

test('nothing added gives no figure', () => {
  expect(new WaitScorer().score()).toMatchObject({
    count: 0,
    averageAbsoluteErrorSeconds: null,
    brierScore: null,
    coverage: [],
  });
});

test('the ranked score tells on how many jobs it rests: open levels have none', () => {
  const scorer = new WaitScorer();
  scorer.add(evenForecast(1000), 500, 10);
  const { crpsSeconds } = scorer.score();
  expect(crpsSeconds).toBeCloseTo(84.1, 1);
  scorer.add(
    forecastOf((percent) => (percent > 90 ? Number.POSITIVE_INFINITY : 10 * percent)),
    300_000,
    10,
  );
  expect(scorer.score()).toMatchObject({ count: 2, crpsSeconds, crpsCount: 1 });
});
