import { describe, expect, test } from 'vitest';
import type { Snapshot, WaitingJob } from '../../../../src/domain/snapshot.ts';
import { PresentWaits } from '../../../../src/predict/wait/gridcast/present-waits.ts';

const NOW = 10_000;

function known(...waits: number[]): PresentWaits {
  const present = new PresentWaits();
  waits.forEach((wait, n) => {
    const request = { user: null, queue: null, processors: 1, requestedWalltimeSeconds: 60 };
    const startAt = NOW - 1000 + n;
    present.learn({ nativeId: `${n}`, ...request, submitAt: startAt - wait, startAt, endAt: null, outcome: null });
  });
  return present;
}

function queueOf(...ages: number[]): Snapshot {
  const waiting = ages.map((age, n): WaitingJob => {
    const request = { user: null, queue: null, processors: 1, requestedWalltimeSeconds: 60 };
    return { nativeId: `w${n}`, key: null, ...request, submitAt: NOW - age };
  });
  return { observedAt: NOW, processors: 8, freeProcessors: 0, waiting, running: [] };
}

describe('what jobs wait at present', () => {
  test('with nobody waiting is what the latest waited', () => {
    const percentiles = known(10, 20, 30, 40).percentiles(queueOf(), 1);
    expect([percentiles[0], percentiles[24], percentiles[25], percentiles[98]]).toEqual([10, 10, 20, 40]);
  });

  test('counts those that still wait: those who started at once say little beside a long queue', () => {
    const percentiles = known(0, 0, 0, 0).percentiles(queueOf(300, 300, 300, 300, 300, 300), 1);
    expect(percentiles[39]).toBe(0);
    expect(percentiles[40]).toBe(Number.POSITIVE_INFINITY);
  });

  test('supposes of those who came just now nothing beyond what they have waited', () => {
    const percentiles = known(100, 200).percentiles(queueOf(50, 50), 1);
    expect([percentiles[49], percentiles[50], percentiles[98]]).toEqual([100, 200, 200]);
  });

  test('is what the latest say: an ebb is forgotten in the flood', () => {
    const ebb = Array.from({ length: 100 }, () => 0);
    const flood = Array.from({ length: 15 }, () => 500);
    expect(known(...ebb, ...flood).percentiles(queueOf(), 1)[0]).toBe(500);
  });

  test('is of jobs as large where those wait longer: small ones are let past them', () => {
    const present = known(0, 0, 0, 0, 0, 0);
    const large = { user: null, queue: null, processors: 4, requestedWalltimeSeconds: 60, endAt: null, outcome: null };
    present.learn({ nativeId: 'large', ...large, submitAt: NOW - 400, startAt: NOW });
    const state = queueOf();
    expect(present.percentiles(state, 1)[49]).toBe(0);
    expect(present.percentiles(state, 4)[49]).toBe(400);
    expect(present.percentiles(state, 1)[49]).toBe(0);
  });

  test('is of all where none so large has started', () => {
    expect(known(10, 20).percentiles(queueOf(), 8)[98]).toBe(20);
  });

  test('of nothing known is not known', () => {
    expect(new PresentWaits().percentiles(queueOf(5), 1).every((seconds) => seconds === Number.POSITIVE_INFINITY)).toBe(
      true,
    );
  });
});
