import { afterAll, beforeAll } from 'vitest';
import type { JobRequest, StartedRecord } from '../src/domain/job.ts';
import type { Predictor } from '../src/predict/predictor.ts';
import { QUANTITIES } from '../src/predict/quantities.ts';
import type { Quantity, Spread } from '../src/predict/quantity.ts';

/** How many processors the user's next job asks for: that of the one before, of anybody where the user is not told. */
export class LastSize implements Predictor<JobRequest, Spread> {
  readonly name = 'size/last';
  readonly version = '1';
  private readonly sizes = new Map<string | null, number>();

  predict({ user }: JobRequest): Spread {
    const point = this.sizes.get(user) ?? Number.POSITIVE_INFINITY;
    return { point, percentiles: new Array(99).fill(point), sampleSize: this.sizes.size };
  }

  started({ user, processors }: StartedRecord): void {
    this.sizes.set(user, processors).set(null, processors);
  }
}

/** A quantity that nobody has thought of. */
export const SIZE: Quantity<JobRequest, Spread> = {
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

/** The line in the registry that a new quantity is, for the tests of one file. */
export function addQuantity<Query>(quantity: Quantity<Query, Spread>): void {
  const registry = QUANTITIES as Quantity<unknown, unknown>[];
  beforeAll(() => void registry.push(quantity as unknown as Quantity<unknown, unknown>));
  afterAll(() => void registry.splice(registry.length - 1, 1));
}
