import { describe, expect, test } from 'vitest';
import { probabilityToStartWithin, type WaitQuery } from '../../../../src/domain/forecast.ts';
import type { Snapshot } from '../../../../src/domain/snapshot.ts';
import { LaterForecaster } from '../../../../src/predict/wait/gridcast/later-forecaster.ts';
import { SiteMemory } from '../../../../src/predict/wait/gridcast/site-memory.ts';

const DAY = 86_400;
const STEP = 300;
const DAYS = 8;

/**
 * The machine is full from eight in the morning for four hours, by jobs of an hour that follow each other, and else
 * empty.
 */
function stateAt(observedAt: number): Snapshot {
  const secondOfDay = observedAt % DAY;
  const isFull = secondOfDay >= 8 * 3600 && secondOfDay < 12 * 3600;
  const startAt = observedAt - (secondOfDay % 3600);
  const job = { nativeId: `${startAt}`, key: null, user: null, queue: null, requestedWalltimeSeconds: 3600 };
  const running = isFull ? [{ ...job, processors: 16, submitAt: 8 * 3600 + observedAt - secondOfDay, startAt }] : [];
  return { observedAt, processors: 16, freeProcessors: isFull ? 0 : 16, running, waiting: [] };
}

function watched(from = 0): LaterForecaster {
  const forecaster = new LaterForecaster(new SiteMemory());
  for (let at = from; at < DAYS * DAY; at += STEP) forecaster.observe(stateAt(at));
  return forecaster;
}

function query(submitAt: number): WaitQuery {
  return { queue: null, user: null, processors: 4, requestedWalltimeSeconds: 1200, submitAt, isOneOfMany: true };
}

describe('forecast of later submissions', () => {
  const forecaster = watched();
  const within = (now: number, submitAt: number, seconds: number) => {
    const said = forecaster.predict(query(submitAt), stateAt(now), now);
    const quantileSeconds = Array.from(said?.quantileSeconds ?? []);
    const made = { predictor: 'later', version: '', madeAt: now, observedAt: now, sampleSize: 1, pointSeconds: 0 };
    return probabilityToStartWithin({ ...made, quantileSeconds }, seconds);
  };
  const MIDNIGHT = DAYS * DAY;

  test('knows the hours at which the machine is full, before they come', () => {
    const now = MIDNIGHT + 6.5 * 3600;
    forecaster.observe(stateAt(now));
    expect(within(now, now, 60)).toBeGreaterThan(0.9);
    expect(within(now, now + 3 * 3600, 60)).toBeLessThan(0.2);
    expect(within(now, now + 3 * 3600, 4 * 3600)).toBeGreaterThan(0.8);
    expect(within(now, now + 6 * 3600, 60)).toBeGreaterThan(0.8);
  });

  test('speaks of the state it is asked with, seen before or not', () => {
    const now = MIDNIGHT + 9 * 3600;
    expect(within(now, now, 60)).toBeLessThan(0.2);
    expect(within(now + 5 * 3600, now + 5 * 3600, 60)).toBeGreaterThan(0.9);
    expect(within(now, now, 60)).toBeLessThan(0.2);
  });

  test('tells states of one moment apart, as that without the job of a promise', () => {
    const now = MIDNIGHT + 9 * 3600;
    const full = stateAt(now);
    const without = { ...full, running: [], freeProcessors: 16 };
    const medianOf = (state: Snapshot) => forecaster.predict(query(now), state, now)?.pointSeconds;
    expect(medianOf(full)).toBeGreaterThan(0);
    expect(medianOf(without)).toBeLessThan(medianOf(full) as number);
    expect(medianOf(full)).toBe(medianOf({ ...full }));
  });

  test('says nothing before it has seen enough, of a stale state, or of tomorrow', () => {
    const now = MIDNIGHT + 7 * 3600;
    expect(watched((DAYS - 1) * DAY).predict(query(now), stateAt(now), now)).toBeNull();
    expect(forecaster.predict(query(now + 1801), stateAt(now), now + 1801)).toBeNull();
    expect(forecaster.predict(query(now + DAY), stateAt(now), now)).toBeNull();
    expect(forecaster.predict(query(now), stateAt(now), now)?.sampleSize).toBeGreaterThan(1500);
  });

  test('the same snapshots give the same forecasts, whether it was asked between them or not', () => {
    const other = new LaterForecaster(new SiteMemory());
    for (let at = 0; at < DAYS * DAY; at += STEP) {
      other.observe(stateAt(at));
      if (at % 7 === 0) other.predict(query(at + 3600), stateAt(at + 100), at + 100);
    }
    const fresh = watched().predict(query(MIDNIGHT + 3600), stateAt(MIDNIGHT - STEP), MIDNIGHT);
    expect(fresh).not.toBeNull();
    expect(other.predict(query(MIDNIGHT + 3600), stateAt(MIDNIGHT - STEP), MIDNIGHT)).toEqual(fresh);
  });

  test('still knows a busy site after it was empty for longer than it learns from', () => {
    const other = watched();
    const weeks = 12;
    const restsOn = () => other.predict(query(MIDNIGHT), stateAt(MIDNIGHT), MIDNIGHT)?.sampleSize;
    const now = MIDNIGHT + weeks * 7 * DAY + 9 * 3600;
    const empty = { processors: 16, freeProcessors: 16, running: [], waiting: [] };
    const before = restsOn() as number;
    for (let at = MIDNIGHT; at < now; at += STEP) other.observe({ ...empty, observedAt: at });
    other.observe(stateAt(now));
    expect(other.predict(query(now), stateAt(now), now)?.pointSeconds).toBeGreaterThan(600);
    expect(restsOn()).toBeLessThan(before + 12 * (DAY / STEP));
  });
});
