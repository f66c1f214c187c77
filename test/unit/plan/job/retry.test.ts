import { describe, expect, test } from 'vitest';
import type { RetryPolicy } from '../../../../src/domain/retry.ts';
import { type EndedTry, nextTry } from '../../../../src/plan/job/retry.ts';

const POLICY: RetryPolicy = {
  on: ['NODE_FAIL', 'TIMEOUT', 'OUT_OF_MEMORY'],
  mostTries: 3,
  walltimeAtMostSeconds: null,
  memoryFactor: 2,
  memoryAtMostMebibytes: null,
};
const ENDED: EndedTry = {
  outcome: 'NODE_FAIL',
  number: 1,
  walltimeSeconds: 3600,
  resources: { memoryPerNodeMebibytes: 1000 },
  runtime: null,
  queueWalltimeSeconds: null,
};

/** Runtimes spread evenly from 0 to so many seconds. */
const runtimesUpTo = (seconds: number) => ({
  pointSeconds: seconds / 2,
  quantileSeconds: Array.from({ length: 99 }, (_, index) => ((index + 1) * seconds) / 100),
});

test('what the site took away comes again as it was, so often and no more', () => {
  expect(nextTry(POLICY, ENDED)).toEqual({
    ...{ again: true, walltimeSeconds: 3600, resources: ENDED.resources },
    reason: 'its site says NODE_FAIL; it is run again as it was (2 of 3)',
  });
  expect(nextTry(POLICY, { ...ENDED, number: 3 })).toMatchObject({
    again: false,
    reason: expect.stringContaining('3 times'),
  });
  expect(nextTry(POLICY, { ...ENDED, outcome: 'PREEMPTED' })).toEqual({ again: false, reason: null });
  expect(nextTry(POLICY, { ...ENDED, outcome: 'COMPLETED' })).toEqual({ again: false, reason: null });
});

/** Four in ten run for a quarter of an hour, the others for little more than an hour. */
const QUANTILES = Array.from({ length: 99 }, (_, index) => (index < 40 ? 900 : 3700));

describe('after TIMEOUT', () => {
  const killed = { ...ENDED, outcome: 'TIMEOUT' };

  test('the walltime is that below which nine in ten stay of those that run longer', () => {
    // Of runtimes up to 10,000 s those beyond 3,600 s are spread evenly up to the end: nine tenths of the way there.
    const next = nextTry(POLICY, { ...killed, runtime: runtimesUpTo(10_000) });
    expect(next).toMatchObject({ again: true, walltimeSeconds: 60 * Math.ceil((3600 + 0.9 * 6400) / 60) });
  });

  test('it is twice as long where nothing is known beyond it, and never only a little longer', () => {
    expect(nextTry(POLICY, killed)).toMatchObject({ walltimeSeconds: 7200 });
    expect(nextTry(POLICY, { ...killed, runtime: { pointSeconds: 3700, quantileSeconds: QUANTILES } })).toMatchObject({
      walltimeSeconds: 4500,
    });
  });

  test('neither its caller nor its queue are exceeded; where they leave nothing it is over', () => {
    expect(nextTry({ ...POLICY, walltimeAtMostSeconds: 5000 }, killed)).toMatchObject({ walltimeSeconds: 5000 });
    expect(nextTry(POLICY, { ...killed, queueWalltimeSeconds: 4000 })).toMatchObject({ walltimeSeconds: 4000 });
    expect(nextTry(POLICY, { ...killed, queueWalltimeSeconds: 3600 })).toMatchObject({ again: false });
  });
});

test('after OUT_OF_MEMORY it asks for more of what it stated, up to the most that is allowed', () => {
  const short = { ...ENDED, outcome: 'OUT_OF_MEMORY' };
  expect(nextTry(POLICY, short)).toMatchObject({ resources: { memoryPerNodeMebibytes: 2000 } });
  const each = { ...short, resources: { memoryPerProcessorMebibytes: 500, gpus: 1 } };
  expect(nextTry(POLICY, each)).toMatchObject({ resources: { memoryPerProcessorMebibytes: 1000, gpus: 1 } });
  const bounded = { ...POLICY, memoryAtMostMebibytes: 1500 };
  expect(nextTry(bounded, short)).toMatchObject({ resources: { memoryPerNodeMebibytes: 1500 } });
  expect(nextTry({ ...bounded, memoryAtMostMebibytes: 1000 }, short)).toMatchObject({ again: false });
  expect(nextTry(POLICY, { ...short, resources: undefined })).toMatchObject({ again: false });
});
