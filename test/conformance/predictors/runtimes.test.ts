import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { QUANTILE_COUNT, type RuntimeForecast } from '../../../src/domain/forecast.ts';
import type { JobRecord, JobRequest } from '../../../src/domain/job.ts';
import { JOB_OUTCOMES } from '../../../src/domain/job.ts';
import { knownOutcomes } from '../../../src/predict/past/known-outcomes.ts';
import { tell } from '../../../src/predict/past/tell.ts';
import { watchPast } from '../../../src/predict/past/watched-past.ts';
import type { RuntimePredictor } from '../../../src/predict/predictor.ts';
import { RUNTIME } from '../../../src/predict/quantities.ts';
import { createPredictor } from '../../../src/predict/registry.ts';
import { RUNTIME_PREDICTORS } from '../../../src/predict/runtime-registry.ts';
import { supplyWaitingTrainer } from '../../../src/training/supply.ts';
import { needsTrainer } from '../../needs-trainer.ts';
import { SMALL_NETWORKS } from './small-networks.ts';

supplyWaitingTrainer();

const PROCESSORS = 64;

const request: fc.Arbitrary<JobRequest> = fc.record({
  user: fc.constantFrom('ann', 'bob', 'cyd', null),
  queue: fc.constantFrom('batch', null),
  processors: fc.constantFrom(1, 2, 64),
  requestedWalltimeSeconds: fc.constantFrom(60, 3600, 86_400, null),
});

/**
 * Odd histories: runtimes of nothing, of a moment, of one length and of weeks; gaps of months; requests that are
 * missing or exceeded; every outcome and none; jobs that never start, and such as never end.
 */
const history = (most: number): fc.Arbitrary<JobRecord[]> =>
  fc
    .array(
      fc.record({
        job: request,
        pause: fc.oneof(fc.nat(30), fc.nat(90_000), fc.constant(90 * 86_400)),
        wait: fc.oneof(fc.constant(0), fc.nat(7200)),
        ran: fc.oneof(fc.constant(0), fc.constant(300), fc.nat(4000), fc.constant(2_000_000)),
        outcome: fc.constantFrom(...JOB_OUTCOMES, null),
        fate: fc.constantFrom('ended', 'ended', 'ended', 'ended', 'runs', 'never started'),
      }),
      { maxLength: most },
    )
    .map((drafts) => {
      let submitAt = 1_000_000;
      return drafts.map(({ job, pause, wait, ran, outcome, fate }, i) => {
        submitAt += pause;
        const startAt = fate === 'never started' ? null : submitAt + wait;
        const endAt = fate === 'runs' ? null : submitAt + wait + (startAt === null ? 0 : ran);
        return { nativeId: `${i}`, ...job, submitAt, startAt, endAt, outcome: endAt === null ? null : outcome };
      });
    });

function told(name: string, records: readonly JobRecord[]): RuntimePredictor {
  const predictor = createPredictor(RUNTIME, name, SMALL_NETWORKS[name]);
  for (const sight of watchPast(records, { processors: PROCESSORS, snapshotSeconds: 30 * 86_400 }))
    tell(predictor, sight);
  return predictor;
}

function expectWhole(forecast: RuntimeForecast, predictor: RuntimePredictor, mostKnown: number): void {
  expect(forecast).toMatchObject({ predictor: predictor.name, version: predictor.version });
  expect(forecast.quantileSeconds).toHaveLength(QUANTILE_COUNT);
  let before = 0;
  for (const seconds of forecast.quantileSeconds) {
    expect(seconds >= before).toBe(true);
    before = seconds;
  }
  expect(forecast.pointSeconds).toBeGreaterThanOrEqual(0);
  expect(Number.isInteger(forecast.sampleSize)).toBe(true);
  expect(forecast.sampleSize).toBeGreaterThanOrEqual(0);
  expect(forecast.sampleSize).toBeLessThanOrEqual(mostKnown);
  expectDisjoint(forecast);
}

function expectDisjoint({ ranges }: RuntimeForecast): void {
  if (!ranges || ranges.length === 0) return;
  let before = 0;
  for (const { fromSeconds, toSeconds, probability } of ranges) {
    expect(fromSeconds).toBeGreaterThanOrEqual(before);
    expect(toSeconds).toBeGreaterThanOrEqual(fromSeconds);
    expect(probability).toBeGreaterThan(0);
    before = toSeconds;
  }
  expect(ranges.length).toBeLessThanOrEqual(25);
  expect(ranges.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 6);
}

describe.each([...RUNTIME_PREDICTORS.keys()])('%s', (name) => {
  if (name in SMALL_NETWORKS) needsTrainer();
  test('of whatever history: percentiles never fall, nothing is not a number, ranges are apart', () => {
    fc.assert(
      fc.property(history(120), request, (records, job) => {
        const predictor = told(name, records);
        expectWhole(predictor.predict(job, null, 1e9), predictor, records.length);
      }),
      { numRuns: 60 },
    );
  });

  test('of no history it says that it rests on none', () => {
    const job = { user: 'new', queue: null, processors: 4, requestedWalltimeSeconds: 3600 };
    const predictor = createPredictor(RUNTIME, name, SMALL_NETWORKS[name]);
    expect(predictor.predict(job, null, 1e9).sampleSize).toBe(0);
    expectWhole(predictor.predict(job, null, 1e9), predictor, 0);
  });

  test('of one job of history it says that it rests on one at most', () => {
    fc.assert(
      fc.property(request, fc.oneof(fc.constant(0), fc.nat(90_000)), (job, ran) => {
        const record = { nativeId: '1', ...job, submitAt: 1000, startAt: 1000, endAt: 1000 + ran };
        const predictor = told(name, [{ ...record, outcome: 'COMPLETED' }]);
        const { sampleSize } = predictor.predict(job, null, 1e9);
        expect(sampleSize).toBeLessThanOrEqual(1);
        expectWhole(predictor.predict({ ...job, user: 'never seen' }, null, 1e9), predictor, 1);
      }),
    );
  });

  test('of runtimes that do not change, of zero seconds too, its spread is around them', () => {
    for (const seconds of [0, 500]) {
      const records = Array.from({ length: 300 }, (_, i): JobRecord => {
        const size = { user: 'ann', queue: null, processors: 2, requestedWalltimeSeconds: 500 };
        const startAt = 1000 * i;
        return {
          nativeId: `${i}`,
          ...size,
          submitAt: startAt,
          startAt,
          endAt: startAt + seconds,
          outcome: 'COMPLETED',
        };
      });
      const forecast = told(name, records).predict(records[0] as JobRecord, null, 1e6);
      expect(forecast.quantileSeconds[0]).toBeLessThanOrEqual(seconds + 1);
      expect(forecast.quantileSeconds[98]).toBeGreaterThanOrEqual(seconds - 1);
      expect(forecast.pointSeconds).toBeLessThan(Number.POSITIVE_INFINITY);
    }
  });

  test('every job that is asked about and ran is answered or said not to be, in the order of ends', () => {
    fc.assert(
      fc.property(history(60), (records) => {
        const past = watchPast(records, { processors: PROCESSORS, snapshotSeconds: 30 * 86_400 });
        for (const { forecast } of knownOutcomes(RUNTIME, createPredictor(RUNTIME, name, SMALL_NETWORKS[name]), past, {
          isAsked: () => true,
        })) {
          expect(Number.isNaN(forecast.pointSeconds)).toBe(false);
          expect(forecast.quantileSeconds.some(Number.isNaN)).toBe(false);
        }
      }),
      { numRuns: 30 },
    );
  });
});
