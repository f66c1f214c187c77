import { describe, expect, test } from 'vitest';
import type { JobRequest, StartedRecord } from '../../../src/domain/job.ts';
import { scorePast } from '../../../src/predict/past/score-past.ts';
import { watchPast } from '../../../src/predict/past/watched-past.ts';
import type { Predictor } from '../../../src/predict/predictor.ts';
import type { Quantity, Spread } from '../../../src/predict/quantity.ts';
import { describeQuantity } from '../../conformance/predictors/describe-quantity.ts';

/** How many processors the user's next job asks for: that of the one before. */
class LastSize implements Predictor<JobRequest, Spread> {
  readonly name = 'size/last';
  readonly version = '1';
  private readonly sizes = new Map<string | null, number>();

  predict({ user }: JobRequest): Spread {
    const point = this.sizes.get(user) ?? Number.POSITIVE_INFINITY;
    return { point, percentiles: new Array(99).fill(point) };
  }

  started({ user, processors }: StartedRecord): void {
    this.sizes.set(user, processors);
  }
}

const SIZE: Quantity<JobRequest, Spread> = {
  name: 'size',
  predictors: new Map([['size/last', () => new LastSize()]]),
  queryOf: (job) => job,
  spreadOf: (forecast) => forecast,
  actualOf(event) {
    if (event.kind !== 'start') return null;
    const { nativeId, submitAt, processors } = event.record;
    return { nativeId, submitAt, value: processors };
  },
};

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
    const score = scorePast(SIZE, new LastSize(), past, { isScored: () => true });
    expect(score).toMatchObject({ count: 5, unansweredCount: 1, averageAbsoluteError: (0 + 0 + 6 + 6) / 4 });
    expect(score.coverage.find(({ level }) => level === 0.5)?.share).toBe(4 / 5);
  });
});
