import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { probabilityToStartWithin, QUANTILE_COUNT, type WaitQuery } from '../../../src/domain/forecast.ts';
import type { StartedRecord } from '../../../src/domain/job.ts';
import type { Snapshot } from '../../../src/domain/snapshot.ts';
import { createWaitPredictor, WAIT_PREDICTORS } from '../../../src/predict/registry.ts';

const QUERY: WaitQuery = {
  queue: null,
  processors: 4,
  requestedWalltimeSeconds: 3600,
  user: 'ann',
  submitAt: 1_000_000,
};
const SNAPSHOT: Snapshot = { observedAt: 999_990, processors: 64, freeProcessors: 3, waiting: [], running: [] };

const oneRecord = fc.record({
  processors: fc.integer({ min: 1, max: 512 }),
  requestedWalltimeSeconds: fc.option(fc.integer({ min: 1, max: 1_000_000 })),
  user: fc.option(fc.constantFrom('ann', 'bob', 'eve')),
  wait: fc.integer({ min: 0, max: 500_000 }),
});

/** Records in the order of their starts, ten seconds apart. */
const history = (maxLength: number) =>
  fc.array(oneRecord, { maxLength, size: 'max' }).map((drawn) =>
    drawn.map(({ wait, ...rest }, i): StartedRecord => {
      const startAt = 500_000 + 10 * i;
      return { ...rest, nativeId: `${i}`, queue: null, submitAt: startAt - wait, startAt, endAt: null, outcome: null };
    }),
  );

const anyQuery = fc.record({
  queue: fc.option(fc.constantFrom('batch', 'debug')),
  processors: fc.integer({ min: 1, max: 100_000 }),
  requestedWalltimeSeconds: fc.option(fc.integer({ min: 1, max: 10_000_000 })),
  user: fc.option(fc.constantFrom('ann', 'bob', 'nobody')),
  submitAt: fc.integer({ min: 1_000_000, max: 2_000_000 }),
});

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}

/** Three thousand waits of two kinds of jobs, long enough for classes and change points to be found. */
function longHistory(): StartedRecord[] {
  return Array.from({ length: 3000 }, (_, i) => {
    const isLarge = i % 3 === 0;
    const wait = ((i * 7919) % 997) * (isLarge ? 50 : 1) * (i > 2000 ? 4 : 1);
    return {
      nativeId: `${i}`,
      user: `u${i % 7}`,
      queue: null,
      processors: isLarge ? 64 : 2,
      requestedWalltimeSeconds: isLarge ? 36_000 : 600,
      submitAt: 500_000 + 10 * i - wait,
      startAt: 500_000 + 10 * i,
      endAt: null,
      outcome: null,
    };
  });
}

describe.each([...WAIT_PREDICTORS.keys()])('%s', (name) => {
  test('is called what it is registered as, and has a version', () => {
    expect(createWaitPredictor(name).name).toBe(name);
    expect(createWaitPredictor(name).version).not.toBe('');
    expect(createWaitPredictor(name).version).toBe(createWaitPredictor(name).version);
  });

  test.each([null, SNAPSHOT])('with no history every quantile is infinite', (state) => {
    const forecast = createWaitPredictor(name).predict(QUERY, state, 1_000_000);
    expect(forecast.quantileSeconds).toEqual(new Array(QUANTILE_COUNT).fill(Number.POSITIVE_INFINITY));
    expect(forecast.pointSeconds).toBe(Number.POSITIVE_INFINITY);
    expect(forecast.sampleSize).toBe(0);
    expect(forecast.observedAt).toBeLessThanOrEqual(1_000_000);
  });

  test('always answers a whole forecast: 99 quantiles, never decreasing, none below 0 or not a number', () => {
    fc.assert(
      fc.property(history(300), anyQuery, fc.option(fc.constant(SNAPSHOT)), (records, query, state) => {
        const predictor = createWaitPredictor(name);
        for (const record of records) predictor.started?.(record);
        const forecast = predictor.predict(query, state, query.submitAt);
        expect(forecast).toMatchObject({ predictor: name, version: predictor.version, madeAt: query.submitAt });
        expect(forecast.quantileSeconds).toHaveLength(QUANTILE_COUNT);
        let before = 0;
        for (const seconds of forecast.quantileSeconds) {
          expect(seconds >= before).toBe(true);
          before = seconds;
        }
        const [lowest, highest] = [forecast.quantileSeconds[0] as number, before];
        if (Number.isFinite(lowest)) expect(forecast.pointSeconds).toBeGreaterThanOrEqual(lowest);
        expect(forecast.pointSeconds).toBeLessThanOrEqual(highest);
        expect(Number.isFinite(forecast.pointSeconds)).toBe(records.length > 0);
        expect(forecast.sampleSize).toBeLessThanOrEqual(records.length);
        expect(forecast.observedAt).toBeLessThanOrEqual(query.submitAt);
      }),
      { numRuns: 60 },
    );
  });

  test('the same history gives the same forecasts, asked often or once', () => {
    const [once, often] = [createWaitPredictor(name), createWaitPredictor(name)];
    for (const record of longHistory()) {
      const state = { ...SNAPSHOT, observedAt: record.startAt - 5 };
      for (const predictor of [once, often]) predictor.observed?.(state);
      once.started?.(record);
      often.predict(QUERY, state, record.startAt);
      often.started?.(record);
    }
    expect(often.predict(QUERY, SNAPSHOT, 1_000_000)).toEqual(once.predict(QUERY, SNAPSHOT, 1_000_000));
  });

  test('what is learned later does not change a forecast that was made', () => {
    const predictor = createWaitPredictor(name);
    const records = longHistory();
    for (const record of records.slice(0, 1500)) predictor.started?.(record);
    const made = predictor.predict(QUERY, null, 1_000_000);
    const copy = structuredClone(made);
    for (const record of records.slice(1500)) predictor.started?.(record);
    expect(made).toEqual(copy);
  });

  test('a poisoned future changes no forecast made before it', () => {
    const records = longHistory();
    const honest = forecastsAlong(name, records);
    const poisoned = records.map((record, i) =>
      i < 1700 ? record : { ...record, submitAt: record.startAt - 9e8, endAt: 7 },
    );
    expect(forecastsAlong(name, poisoned).slice(0, 17)).toEqual(honest.slice(0, 17));
  });

  test('ends and outcomes, which are unknown when a job starts, do not matter', () => {
    const records = longHistory();
    const ended = records.map((record) => ({ ...record, endAt: record.startAt + 5, outcome: 'FAILED' as const }));
    expect(forecastsAlong(name, ended)).toEqual(forecastsAlong(name, records));
  });

  test('its inputs stay as they are', () => {
    const predictor = createWaitPredictor(name);
    for (const record of deepFreeze(longHistory().slice(0, 500))) predictor.started?.(record);
    const [query, state] = [deepFreeze({ ...QUERY }), deepFreeze(structuredClone(SNAPSHOT))];
    expect(() => predictor.predict(query, state, 1_000_000)).not.toThrow();
  });

  test('of waits that do not change, the spread learns to be around them', () => {
    const predictor = createWaitPredictor(name);
    for (const record of longHistory()) predictor.started?.({ ...record, submitAt: record.startAt - 600 });
    const forecast = predictor.predict(QUERY, null, 1_000_000);
    expect(forecast.pointSeconds).toBeCloseTo(600, 6);
    expect(probabilityToStartWithin(forecast, 599)).toBe(0);
    expect(probabilityToStartWithin(forecast, 601)).toBe(0.99);
  });

  test('an odd record (a wait below nothing, no walltime, no user) is taken in without harm', () => {
    const predictor = createWaitPredictor(name);
    for (const record of longHistory()) {
      predictor.started?.({ ...record, submitAt: record.startAt + 60, requestedWalltimeSeconds: null, user: null });
    }
    expect(predictor.predict(QUERY, null, 1_000_000).pointSeconds).toBe(0);
  });
});

/** A forecast before every hundredth record. */
function forecastsAlong(name: string, records: readonly StartedRecord[]): unknown[] {
  const predictor = createWaitPredictor(name);
  return records.flatMap((record, i) => {
    const forecast = i % 100 === 0 ? [predictor.predict(QUERY, null, record.startAt)] : [];
    predictor.started?.(record);
    return forecast;
  });
}

test('an unknown name is refused with the names there are', () => {
  expect(() => createWaitPredictor('wait/oracle')).toThrow(/no wait predictor wait\/oracle; there are wait\/qbets/);
});
