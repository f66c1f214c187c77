import { describe, expect, test } from 'vitest';
import { hasEnded, hasStarted, type JobRecord } from '../../../src/domain/job.ts';
import type { JobUse } from '../../../src/domain/job-use.ts';
import type { Snapshot } from '../../../src/domain/snapshot.ts';
import { tell } from '../../../src/predict/past/tell.ts';
import { type Sight, watchPast } from '../../../src/predict/past/watched-past.ts';
import type { Quantity, Spread } from '../../../src/predict/quantity.ts';
import { needsTrainer } from '../../needs-trainer.ts';
import { simulatedRecords } from '../../simulated-records.ts';
import { testRestored } from './describe-restored.ts';
import { SMALL_NETWORKS } from './small-networks.ts';

const JOBS = 1000;
const PROCESSORS = 128;
const SNAPSHOT_SECONDS = 3600;
const FEW_PROCESSORS = 32;

/** Jobs of some users on a machine that is never full, in the order of submission. */
function history(): JobRecord[] {
  return Array.from({ length: JOBS }, (_, i) => {
    const submitAt = 500_000 + 600 * i;
    const startAt = submitAt + ((i * 7919) % 997);
    const isLong = i % 5 === 0;
    const ranSeconds = (isLong ? 4000 : 200) + ((i * 31) % 101);
    const outcome = i % 11 === 0 ? 'FAILED' : 'COMPLETED';
    const size = { processors: isLong ? 16 : 2, requestedWalltimeSeconds: i % 7 === 0 ? null : isLong ? 7200 : 600 };
    return {
      nativeId: `${i}`,
      user: `u${i % 5}`,
      queue: null,
      ...size,
      submitAt,
      startAt,
      endAt: startAt + ranSeconds,
      outcome,
      use: i % 13 === 0 ? undefined : useOf(i),
    };
  });
}

/** Bytes in the order of sizes; now and then none, and such as are not told. */
function useOf(i: number): JobUse {
  const readBytes = i % 17 === 0 ? null : 1e6 * ((i * 37) % 211);
  return { cpuSeconds: null, memoryBytes: null, readBytes, writtenBytes: i % 5 === 0 ? 5e9 + i : 0 };
}

/** What every predictor of whatever quantity holds to; all of them unless told which. */
export function describeQuantity<Query, Forecast>(
  quantity: Quantity<Query, Forecast>,
  isAsked: (name: string) => boolean = () => true,
): void {
  describe.each([...quantity.predictors.keys()].filter(isAsked))(`${quantity.name}: %s`, (name) => {
    if (name in SMALL_NETWORKS) needsTrainer();
    const create = () => {
      const make = quantity.predictors.get(name);
      if (!make) throw new Error(`no predictor ${name}`);
      return make(SMALL_NETWORKS[name]);
    };

    /** What is said of every hundredth job as it is submitted. */
    function saidAlong(records: readonly JobRecord[], asked = 1): Spread[] {
      const predictor = create();
      const said: Spread[] = [];
      for (const sight of sightsOf(records)) {
        if (sight.kind === 'submit' && sight.job % 100 === 0) {
          const state: Snapshot | null = predictor.observed ? sight.stateBefore() : null;
          for (let times = 1; times < asked; times++)
            predictor.predict(quantity.queryOf(sight.submission), state, sight.at);
          said.push(quantity.spreadOf(predictor.predict(quantity.queryOf(sight.submission), state, sight.at)));
        }
        tell(predictor, sight);
      }
      return said;
    }

    let plain: Spread[] | undefined;
    const saidOnce = () => {
      plain ??= saidAlong(history());
      return plain;
    };

    test('is called what it is registered as, and has a version', () => {
      expect(create().name).toBe(name);
      expect(create().version).not.toBe('');
    });

    test('says 99 percentiles that never fall, none below 0 or not a number, and a point among them', () => {
      for (const spread of saidOnce()) expectWhole(spread);
    });

    test('says whole answers of a machine that is full too, of jobs that are handed in now or later', () => {
      const predictor = create();
      let asked = 0;
      for (const sight of watchPast(contended(), { processors: FEW_PROCESSORS, snapshotSeconds: SNAPSHOT_SECONDS })) {
        if (sight.kind === 'submit' && sight.job % 20 === 0) {
          const state = deepFrozen(structuredClone(sight.stateBefore()));
          for (const laterSeconds of [0, 60, 7200, 86_400]) {
            const job = { ...sight.submission, submitAt: sight.at + laterSeconds };
            expectWhole(quantity.spreadOf(predictor.predict(quantity.queryOf(job), state, sight.at)));
          }
          if (state.freeProcessors === 0 && state.waiting.length > 0) asked++;
        }
        tell(predictor, sight);
      }
      expect(asked).toBeGreaterThan(5);
    });

    test('says the same of the same past, asked often or once', () => {
      expect(saidAlong(history(), 3)).toEqual(saidOnce());
    });

    // PRIONN's networks look at a request as a picture of its characters, those of names among them.
    if (!(name in SMALL_NETWORKS))
      test('says the same whatever users, queues and accounts are called', () => {
        const inOrder = calledBy((kind, number) => `${kind}-${number}`);
        const inDisorder = calledBy((kind, number) => `${'zmxakqbtc'[(number * 4 + kind.length) % 9]} ${9 - number}`);
        expect(saidAlong(inDisorder)).toEqual(saidAlong(inOrder));
      });

    test('knows nothing of the future', () => {
      const honest = saidOnce();
      const fromAt = 500_000 + 600 * 800;
      const poisoned = history().map((record) => poisonedAfter(record, fromAt));
      expect(saidAlong(poisoned).slice(0, 8)).toEqual(honest.slice(0, 8));
    });

    testRestored(() => ({
      quantity: quantity.name,
      create,
      events: [...sightsOf(history())],
      take(predictor, sight) {
        const one = predictor as ReturnType<typeof create>;
        const asks = sight.kind === 'submit' && sight.job % 40 === 0;
        const state = asks && one.observed ? sight.stateBefore() : null;
        const said = asks ? one.predict(quantity.queryOf(sight.submission), state, sight.at) : null;
        tell(one, sight);
        return said;
      },
    }));

    test('leaves what it is told as it is', () => {
      const predictor = create();
      for (const sight of sightsOf(
        history()
          .slice(0, 300)
          .map((record) => Object.freeze({ ...record })),
      )) {
        expect(() =>
          tell(predictor, sight.kind === 'snapshot' ? deepFrozen(structuredClone(sight)) : sight),
        ).not.toThrow();
      }
    });
  });
}

/** 99 percentiles that never fall, none below 0 or not a number, and a point among them. */
function expectWhole({ point, percentiles }: Spread): void {
  expect(percentiles).toHaveLength(99);
  percentiles.forEach((bound, i) => {
    expect(bound >= (percentiles[i - 1] ?? 0)).toBe(true);
  });
  expect(point).toBeGreaterThanOrEqual(0);
  if (!Number.isFinite(percentiles[0] as number)) return;
  expect(point).toBeGreaterThanOrEqual(percentiles[0] as number);
  expect(point).toBeLessThanOrEqual(percentiles[98] as number);
}

/** Jobs of a machine on which most have to wait. */
function contended(): JobRecord[] {
  return simulatedRecords(400, FEW_PROCESSORS, 1.2);
}

function deepFrozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) deepFrozen(part);
  return Object.freeze(value);
}

function sightsOf(records: readonly JobRecord[]): Iterable<Sight> {
  return watchPast(records, { processors: PROCESSORS, snapshotSeconds: SNAPSHOT_SECONDS });
}

/** The jobs of some queues, of which each has its users, sizes and lengths. */
function calledBy(nameOf: (kind: string, number: number) => string): JobRecord[] {
  return history().map((record, i) => ({
    ...record,
    user: nameOf('user', i % 5),
    queue: nameOf('queue', i % 4),
    account: nameOf('account', i % 3),
    endAt: (record.endAt as number) + 500 * (i % 4),
  }));
}

/** The same until that moment; what happens later is otherwise. */
function poisonedAfter(record: JobRecord, fromAt: number): JobRecord {
  const startAt = hasStarted(record) && record.startAt >= fromAt ? record.startAt + 50_000 : record.startAt;
  if (!hasEnded(record) || record.endAt < fromAt) return { ...record, startAt };
  const use = { cpuSeconds: 1, memoryBytes: 1, readBytes: 7e15, writtenBytes: 7e15 };
  return { ...record, startAt, endAt: record.endAt + 90_000, outcome: 'COMPLETED', use };
}
