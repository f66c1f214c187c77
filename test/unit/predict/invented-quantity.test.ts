import { describe, expect, test } from 'vitest';
import { knownOutcomes } from '../../../src/predict/past/known-outcomes.ts';
import { watchPast } from '../../../src/predict/past/watched-past.ts';
import { SpreadScorer } from '../../../src/predict/spread-scorer.ts';
import { describeQuantity } from '../../conformance/predictors/describe-quantity.ts';
import { LastSize, SIZE } from '../../invented-quantity.ts';

describe('a quantity that nobody has thought of', () => {
  describeQuantity(SIZE);

  test('is learned, asked and scored like any other', () => {
    const records = [4, 4, 4, 10, 4].map((processors, n) => ({
      nativeId: `${n}`,
      user: 'ann',
      queue: null,
      processors,
      requestedWalltimeSeconds: null,
      submitAt: 100 * n,
      startAt: 100 * n + 10,
      endAt: 100 * n + 50,
      outcome: 'COMPLETED' as const,
    }));
    const past = watchPast(records, { processors: 16, snapshotSeconds: 60 });
    const scorer = new SpreadScorer();
    for (const { forecast, actual } of knownOutcomes(SIZE, new LastSize(), past, { isAsked: () => true })) {
      scorer.add(SIZE.spreadOf(forecast), actual.value);
    }
    const score = scorer.score();
    expect(score).toMatchObject({ count: 5, unansweredCount: 1, averageAbsoluteError: (0 + 0 + 6 + 6) / 4 });
    expect(score.coverage.find(({ level }) => level === 0.5)?.share, 'of those that were answered').toBe(3 / 4);
  });
});
