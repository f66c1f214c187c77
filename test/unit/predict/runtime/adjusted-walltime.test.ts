import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EndedRecord, JobOutcome, JobRequest } from '../../../../src/domain/job.ts';
import {
  ADJUSTMENT_DEFAULTS,
  AdjustedWalltime,
  type AdjustmentScheme,
} from '../../../../src/predict/runtime/adjusted-walltime.ts';
import { KEY_TYPES, MONTH_SECONDS, WINDOWS } from '../../../../src/predict/runtime/like-jobs-shares.ts';

const REQUESTED = 1000;
const JOB: JobRequest = { user: 'ada', queue: 'long', processors: 4, requestedWalltimeSeconds: REQUESTED };

interface Ran extends Partial<JobRequest> {
  readonly endAt?: number;
  readonly outcome?: JobOutcome | null;
}

function ended(ranSeconds: number, { endAt = 10_000, outcome = 'COMPLETED', ...job }: Ran = {}): EndedRecord {
  const startAt = endAt - ranSeconds;
  return { ...JOB, ...job, nativeId: '1', submitAt: startAt, startAt, endAt, outcome };
}

function told(records: readonly EndedRecord[], scheme: Partial<AdjustmentScheme> = {}): AdjustedWalltime {
  const predictor = new AdjustedWalltime({ ...ADJUSTMENT_DEFAULTS, ...scheme });
  for (const record of records) predictor.ended(record);
  return predictor;
}

/** Ten jobs that used 55, 60, ... 100 % of their walltimes. */
const TEN = Array.from({ length: 10 }, (_, i) => ended(550 + 50 * i));

describe('the adjusted walltime', () => {
  test.each([
    [50, 750],
    [70, 850],
    [85, 950],
    [90, 950],
    [95, 1000],
    [100, 1000],
  ])('at percentile %i of 55, 60, ... 100 % is %i s', (percentile, seconds) => {
    expect(told(TEN, { percentile }).adjustedSeconds(JOB, 10_000)).toBe(seconds);
  });

  test('is none with nine like jobs', () => {
    const predictor = told(TEN.slice(1));
    expect(predictor.adjustedSeconds(JOB, 10_000)).toBeNull();
    expect(predictor.predict(JOB, null, 10_000)).toMatchObject({ sampleSize: 0, pointSeconds: REQUESTED });
  });

  test('is at least half of what is requested, while the forecast says what there was', () => {
    const predictor = told(Array.from({ length: 10 }, () => ended(100)));
    expect(predictor.adjustedSeconds(JOB, 10_000)).toBe(500);
    expect(told(TEN, { leastShare: 0.98 }).adjustedSeconds(JOB, 10_000)).toBe(980);
    expect(predictor.predict(JOB, null, 10_000).quantileSeconds[49]).toBe(100);
  });

  test('counts what ran beyond its walltime as all of it, and zero seconds as none', () => {
    const jobs = [...Array.from({ length: 8 }, () => ended(0)), ended(5000), ended(1000, { outcome: 'TIMEOUT' })];
    expect(told(jobs, { percentile: 80, leastShare: 0.01 }).adjustedSeconds(JOB, 10_000)).toBe(10);
    expect(told(jobs, { percentile: 81 }).adjustedSeconds(JOB, 10_000)).toBe(1000);
  });

  test.each([
    ['user', { queue: 'short', requestedWalltimeSeconds: 60 }, { user: 'bob' }],
    ['project', { user: 'bob', requestedWalltimeSeconds: 60 }, { queue: 'short' }],
    ['user+project', { requestedWalltimeSeconds: 60 }, { queue: 'short' }],
    ['user+project+walltime', { processors: 1 }, { requestedWalltimeSeconds: 1001 }],
  ] as const)('by %s heeds those alone that have it in common', (key, alike, other) => {
    const predictor = told(TEN, { key });
    expect(predictor.adjustedSeconds({ ...JOB, ...alike }, 10_000)).not.toBeNull();
    expect(predictor.adjustedSeconds({ ...JOB, ...other }, 10_000)).toBeNull();
  });

  test('heeds the jobs that ended within the window, to the second', () => {
    const old = Array.from({ length: 9 }, () => ended(600, { endAt: 5000 }));
    const predictor = told([...old, ended(900, { endAt: 6000 })], { window: '2', percentile: 100 });
    const gone = 5000 + 2 * MONTH_SECONDS;
    expect(predictor.adjustedSeconds(JOB, gone)).toBeNull();
    expect(predictor.adjustedSeconds(JOB, gone - 1)).toBe(900);
    expect(told(old.concat(old), { window: 'all' }).adjustedSeconds(JOB, 100 * MONTH_SECONDS)).toBe(600);
  });

  test('a question about a later moment changes no answer about an earlier one', () => {
    const predictor = told(TEN);
    const before = predictor.predict(JOB, null, 10_000);
    expect(predictor.predict(JOB, null, 10_000 + 2 * MONTH_SECONDS).sampleSize).toBe(0);
    expect(predictor.predict(JOB, null, 10_000)).toEqual(before);
  });

  test.each(['NODE_FAIL', 'PREEMPTED'] as const)('learns nothing from %s', (outcome) => {
    expect(told([...TEN.slice(1), ended(500, { outcome })]).adjustedSeconds(JOB, 10_000)).toBeNull();
  });

  test.each(['FAILED', 'CANCELLED', 'TIMEOUT', 'OUT_OF_MEMORY', null] as const)('learns from %s', (outcome) => {
    expect(told([...TEN.slice(1), ended(500, { outcome })]).adjustedSeconds(JOB, 10_000)).not.toBeNull();
  });
});

const someJob = fc.record({
  user: fc.constantFrom('ada', 'bob', null),
  queue: fc.constantFrom('long', null),
  processors: fc.constantFrom(1, 8),
  requestedWalltimeSeconds: fc.constantFrom(null, 0, 1, 600, 7200, Number.MAX_VALUE),
});
const someEnd = fc.record({
  ranSeconds: fc.constantFrom(0, 1, 500, 600, 7200, 90_000),
  afterSeconds: fc.constantFrom(0, 60, 86_400, 5 * MONTH_SECONDS),
  outcome: fc.constantFrom<JobOutcome | null>('COMPLETED', 'FAILED', 'TIMEOUT', 'NODE_FAIL', null),
});
const someScheme = fc.record({
  key: fc.constantFrom(...KEY_TYPES),
  window: fc.constantFrom(...WINDOWS),
  percentile: fc.integer({ min: 50, max: 100 }),
  leastJobs: fc.integer({ min: 1, max: 4 }),
  leastShare: fc.constantFrom(0.001, 0.5, 1),
});
const someHistory = fc.array(fc.tuple(someJob, someEnd), { maxLength: 60 });

function recordsOf(
  history: readonly [JobRequest, { ranSeconds: number; afterSeconds: number; outcome: JobOutcome | null }][],
) {
  let endAt = 100_000;
  return history.map(([job, { ranSeconds, afterSeconds, outcome }]) => {
    endAt += afterSeconds;
    return ended(ranSeconds, { ...job, endAt, outcome });
  });
}

describe('whatever the history', () => {
  test('a walltime is adjusted to between the least share and the whole of the request, or not at all', () => {
    fc.assert(
      fc.property(someHistory, someScheme, someJob, (history, scheme, job) => {
        const records = recordsOf(history);
        const now = records.at(-1)?.endAt ?? 0;
        const seconds = told(records, scheme).adjustedSeconds(job, now);
        if (seconds === null) return;
        const requested = job.requestedWalltimeSeconds ?? Number.NaN;
        expect(seconds).toBeGreaterThanOrEqual(scheme.leastShare * requested);
        expect(seconds).toBeLessThanOrEqual(requested);
      }),
    );
  });

  test('forecasts say how little they rest on, never what is not a number', () => {
    fc.assert(
      fc.property(someHistory, someScheme, someJob, (history, scheme, job) => {
        const records = recordsOf(history);
        const forecast = told(records, scheme).predict(job, null, (records.at(-1)?.endAt ?? 0) + 5);
        expect(forecast.sampleSize === 0 || forecast.sampleSize >= scheme.leastJobs).toBe(true);
        expect([forecast.pointSeconds, ...forecast.quantileSeconds].some(Number.isNaN)).toBe(false);
        expect(forecast.quantileSeconds).toEqual(forecast.quantileSeconds.toSorted((a, b) => a - b));
      }),
    );
  });

  test('what is kept step by step is what a search of the whole history finds', () => {
    fc.assert(
      fc.property(someHistory, someScheme, (history, scheme) => {
        const predictor = told([], scheme);
        const known: EndedRecord[] = [];
        for (const record of recordsOf(history)) {
          predictor.submitted({ ...record, submitAt: record.endAt });
          expect(predictor.adjustedSeconds(record, record.endAt)).toBe(searched(known, scheme, record, record.endAt));
          predictor.ended(record);
          known.push(record);
        }
      }),
    );
  });
});

/** The definition, word for word. */
function searched(
  known: readonly EndedRecord[],
  { key, window, percentile, leastJobs, leastShare }: AdjustmentScheme,
  job: JobRequest,
  now: number,
): number | null {
  const requested = job.requestedWalltimeSeconds;
  if (!requested || (job.user === null && key !== 'project')) return null;
  const shares = known
    .filter((one) => one.outcome !== 'NODE_FAIL' && one.requestedWalltimeSeconds)
    .filter((one) => key === 'project' || one.user === job.user)
    .filter((one) => key === 'user' || one.queue === job.queue)
    .filter((one) => key !== 'user+project+walltime' || one.requestedWalltimeSeconds === requested)
    .filter((one) => window === 'all' || one.endAt > now - Number(window) * MONTH_SECONDS)
    .map((one) => Math.min(1, (one.endAt - (one.startAt ?? 0)) / (one.requestedWalltimeSeconds ?? 1)))
    .sort((a, b) => a - b);
  if (shares.length < leastJobs) return null;
  return requested * Math.max(leastShare, shares[Math.ceil((percentile * shares.length) / 100) - 1] ?? 1);
}
