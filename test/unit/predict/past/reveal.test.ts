import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WaitForecast } from '../../../../src/domain/forecast.ts';
import { hasStarted, type JobRecord } from '../../../../src/domain/job.ts';
import { reveal, submissionOf } from '../../../../src/predict/past/reveal.ts';
import { watchPast } from '../../../../src/predict/past/watched-past.ts';
import type { WaitPredictor } from '../../../../src/predict/predictor.ts';
import { WAIT_PREDICTORS } from '../../../../src/predict/registry.ts';

const records: fc.Arbitrary<JobRecord[]> = fc
  .array(
    fc.record({
      pause: fc.nat(30),
      wait: fc.option(fc.nat(60), { freq: 5 }),
      run: fc.nat(60),
      processors: fc.integer({ min: 1, max: 8 }),
      user: fc.constantFrom('ann', 'bob', 'cyd'),
    }),
    { minLength: 1, maxLength: 80 },
  )
  .map((drafts) => {
    let submitAt = 1000;
    return drafts.map(({ pause, wait, run, processors, user }, index) => {
      submitAt += pause;
      const startAt = wait === null ? null : submitAt + wait;
      return {
        nativeId: String(index),
        user,
        queue: 'batch',
        processors,
        requestedWalltimeSeconds: run + 10,
        submitAt,
        startAt,
        endAt: (startAt ?? submitAt) + run,
        outcome: startAt === null ? ('CANCELLED' as const) : ('COMPLETED' as const),
      };
    });
  });

test('everything is revealed once, in the order of time, a question before any answer', () => {
  fc.assert(
    fc.property(records, (all) => {
      const seen = [...reveal(all)];
      const moments = seen.map(({ at }) => at);
      expect(moments).toEqual([...moments].sort((a, b) => a - b));
      const jobs = (kind: string) => seen.filter((one) => one.kind === kind).map(({ job }) => job);
      const indices = [...all.keys()];
      expect(jobs('submit')).toEqual(indices);
      expect(jobs('start').sort((a, b) => a - b)).toEqual(indices.filter((job) => all[job]?.startAt !== null));
      expect(jobs('end').sort((a, b) => a - b)).toEqual(indices);
      for (const [place, { kind, at }] of seen.entries()) {
        if (kind !== 'submit') continue;
        expect(seen.slice(0, place).filter((one) => one.kind !== 'submit' && one.at === at)).toEqual([]);
      }
    }),
  );
});

test('a start does not tell the end', () => {
  fc.assert(
    fc.property(records, (all) => {
      for (const one of reveal(all)) {
        if (one.kind === 'start') expect(one.record).toMatchObject({ endAt: null, outcome: null });
      }
    }),
  );
});

/**
 * Forecasts of every job, made as it is submitted, by a predictor that learns as it may and sees the site every 20 s.
 */
function forecasts(all: readonly JobRecord[], predictor: WaitPredictor): WaitForecast[] {
  const made: WaitForecast[] = [];
  for (const one of watchPast(all, { processors: 16, snapshotSeconds: 20 })) {
    if (one.kind === 'snapshot') predictor.observed?.(one.state);
    else if (one.kind === 'submit') made.push(predictor.predict(one.submission, one.stateBefore(), one.at));
    else if (one.kind === 'start') predictor.started?.(one.record);
  }
  return made;
}

/** The same log up to `at`; whatever happens at that moment or later is something else. */
function poisoned(all: readonly JobRecord[], at: number): JobRecord[] {
  return all.map((record) => {
    const submitted = record.submitAt <= at ? record : { ...record, processors: 16, user: 'mallory' };
    const startAt = record.startAt !== null && record.startAt < at ? record.startAt : at + 77_777;
    const ended = record.endAt !== null && record.endAt < at;
    return ended ? submitted : { ...submitted, startAt, endAt: startAt + 99_999, outcome: 'TIMEOUT' as const };
  });
}

describe.each([...WAIT_PREDICTORS.keys()])('%s', (name) => {
  test('forecasts the same whatever the future holds', () => {
    const create = WAIT_PREDICTORS.get(name) as () => WaitPredictor;
    fc.assert(
      fc.property(records, fc.nat(1500), (all, seconds) => {
        const at = 1000 + seconds;
        const known = all.filter((record) => record.submitAt <= at).length;
        const honest = forecasts(all, create()).slice(0, known);
        expect(forecasts(poisoned(all, at), create()).slice(0, known)).toEqual(honest);
      }),
      { numRuns: 30 },
    );
  }, 300_000);
});

test('a replay that taught a wait before it was over would be caught', () => {
  const create = WAIT_PREDICTORS.get('baseline/mean') as () => WaitPredictor;
  const all: JobRecord[] = [0, 10, 20].map((pause, index) => ({
    nativeId: String(index),
    user: 'ann',
    queue: 'batch',
    processors: 1,
    requestedWalltimeSeconds: 50,
    submitAt: 1000 + pause,
    startAt: 1100 + pause,
    endAt: 1150 + pause,
    outcome: 'COMPLETED',
  }));
  const teachEarly = (some: readonly JobRecord[]) => {
    const predictor = create();
    return some.map((record) => {
      const forecast = predictor.predict(submissionOf(record), null, record.submitAt);
      if (hasStarted(record)) predictor.started?.(record);
      return forecast;
    });
  };
  expect(teachEarly(poisoned(all, 1020))).not.toEqual(teachEarly(all));
  expect(forecasts(poisoned(all, 1020), create())).toEqual(forecasts(all, create()));
});

test('what a job used is revealed at its end, what it asks for at its submission', () => {
  const program = { name: 'cfd', script: null, arguments: [], workFolder: '/home/ann' };
  const use = { cpuSeconds: 7, memoryBytes: 1e9, readBytes: 5, writtenBytes: 6 };
  const job = { nativeId: '1', user: 'ann', account: 'physics', queue: null, processors: 1 };
  const times = { requestedWalltimeSeconds: null, submitAt: 0, startAt: 1, endAt: 2, outcome: 'COMPLETED' as const };
  const [submitted, started, ended] = [...reveal([{ ...job, ...times, program, use }])];
  expect(submitted).toMatchObject({ submission: { account: 'physics', program } });
  expect(JSON.stringify([submitted, started])).not.toContain('cpuSeconds');
  expect(ended).toMatchObject({ kind: 'end', record: { use, program } });
});
