import { describe, expect, test } from 'vitest';
import type { WaitQuery } from '../../../src/domain/forecast.ts';
import type { StartedRecord } from '../../../src/domain/job.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../../../src/domain/snapshot.ts';
import { Gridcast } from '../../../src/predict/wait/gridcast.ts';
import { ObservedSeries } from '../../../src/predict/wait/observed-series.ts';
import { loadClassFor, planLoad, plannedWaitSeconds, type SiteLoad } from '../../../src/predict/wait/site-load.ts';

const PROCESSORS = 10;

function waiting(processors: number, requestedWalltimeSeconds: number | null): WaitingJob {
  return { nativeId: 'w', key: null, user: null, queue: null, processors, requestedWalltimeSeconds, submitAt: 0 };
}

function running(processors: number, requestedWalltimeSeconds: number, startAt = 1000): RunningJob {
  return { ...waiting(processors, requestedWalltimeSeconds), startAt };
}

function snapshot(jobs: RunningJob[], queue: WaitingJob[], observedAt = 1000): Snapshot {
  const used = jobs.reduce((sum, job) => sum + job.processors, 0);
  return { observedAt, processors: PROCESSORS, freeProcessors: PROCESSORS - used, running: jobs, waiting: queue };
}

describe('the plan of a queue', () => {
  test('an empty machine starts what fits at once, and nothing larger ever', () => {
    const load = planLoad(snapshot([], []));
    expect(plannedWaitSeconds(load, 10, 1e6)).toBe(0);
    expect(plannedWaitSeconds(load, 11, 1)).toBe(Number.POSITIVE_INFINITY);
  });

  test('by hand: 6 of 10 run for 100 s more, a job of 8 for 50 s waits', () => {
    const load = planLoad(snapshot([running(6, 100)], [waiting(8, 50)]));
    expect([...load.stepAt]).toEqual([1000, 1100, 1150]);
    expect([...load.freeProcessors]).toEqual([4, 2, 10]);
    expect(plannedWaitSeconds(load, 4, 100)).toBe(0);
    expect(plannedWaitSeconds(load, 4, 101)).toBe(150);
    expect(plannedWaitSeconds(load, 2, 1e6)).toBe(0);
    expect(plannedWaitSeconds(load, 5, 10)).toBe(150);
  });

  test('a waiting job goes into the earliest gap, those behind it around it', () => {
    const load = planLoad(snapshot([running(6, 100)], [waiting(8, 50), waiting(4, 100), waiting(10, 30)]));
    expect([...load.stepAt]).toEqual([1000, 1100, 1150, 1180]);
    expect([...load.freeProcessors]).toEqual([0, 2, 0, 10]);
  });

  test('a job past its walltime counts as about to end', () => {
    expect(plannedWaitSeconds(planLoad(snapshot([running(10, 100, 500)], [])), 1, 10)).toBe(1);
  });

  test('classes of a wait: within half an hour, two, six, eighteen hours, longer', () => {
    const classAfter = (seconds: number) => loadClassFor(planLoad(snapshot([running(10, seconds)], [])), 1, 10, 1000);
    expect([1800, 1801, 7201, 21_601, 64_801].map(classAfter)).toEqual([4, 5, 6, 7, 8]);
  });

  test('classes of what is left over while the job runs: six tenths of the machine, three, one, less', () => {
    const classBeside = (busy: number) => loadClassFor(planLoad(snapshot([running(busy, 100)], [])), 1, 10, 1000);
    expect([0, 3, 4, 6, 7, 8, 9].map(classBeside)).toEqual([0, 0, 1, 1, 2, 2, 3]);
    const load = planLoad(snapshot([running(6, 100)], [waiting(8, 50)]));
    expect(loadClassFor(load, 2, 60, 1000)).toBe(2);
    expect(loadClassFor(load, 2, 101, 1000)).toBe(3);
  });

  test('a later submission finds what is planned for its moment', () => {
    const load = planLoad(snapshot([running(6, 100)], [waiting(8, 50)]));
    expect(loadClassFor(load, 5, 10, 1000)).toBe(4);
    expect(loadClassFor(load, 5, 10, 1149)).toBe(4);
    expect(loadClassFor(load, 5, 10, 1150)).toBe(1);
    expect(loadClassFor(load, 2, 60, 1060)).toBe(3);
  });
});

describe('loads of the past', () => {
  const at = (observedAt: number) => planLoad(snapshot([], [], observedAt));

  test('the newest up to a moment, unless it was stale by then', () => {
    const series = new ObservedSeries<SiteLoad>({ leastApartSeconds: 50, mostKept: 100 });
    for (const moment of [1000, 1300, 1600]) series.add(at(moment));
    expect(series.newestUpTo(999)).toBeUndefined();
    expect(series.newestUpTo(1000)?.observedAt).toBe(1000);
    expect(series.newestUpTo(1599)?.observedAt).toBe(1300);
    expect(series.newestUpTo(1700)?.observedAt).toBe(1600);
    expect(series.newestUpTo(1e6)).toBeUndefined();
  });

  test('what is not newer is left out', () => {
    const series = new ObservedSeries<SiteLoad>({ leastApartSeconds: 50, mostKept: 100 });
    series.add(at(1000));
    series.add(at(900));
    expect(series.newestUpTo(950)).toBeUndefined();
  });
});

describe('forecast by load', () => {
  /**
   * The machine is empty and full by turns of a day; jobs start at once on an empty one, after three hours on a full
   * one.
   */
  function trained(observes: boolean): Gridcast {
    const gridcast = new Gridcast();
    for (let i = 0; i < 4000; i++) {
      const submitAt = 1e6 + i * 600;
      const isFull = isFullAt(submitAt);
      if (observes) gridcast.observed(stateAt(submitAt));
      gridcast.started(record(i, submitAt, isFull ? 9000 + ((i * 7919) % 997) * 3 : (i * 7919) % 13));
    }
    return gridcast;
  }

  const isFullAt = (at: number) => Math.floor(at / 86_400) % 2 === 1;
  const stateAt = (at: number) => snapshot(isFullAt(at) ? [running(10, 30_000, at)] : [], [], at);

  function record(i: number, submitAt: number, wait: number): StartedRecord {
    const ends = { endAt: null, outcome: null, user: null, queue: null };
    return {
      nativeId: `${i}`,
      processors: 4,
      requestedWalltimeSeconds: 3600,
      submitAt,
      startAt: submitAt + wait,
      ...ends,
    };
  }

  const NOW = 1e6 + 4000 * 600;
  const query = (submitAt: number): WaitQuery => ({
    queue: null,
    processors: 4,
    requestedWalltimeSeconds: 3600,
    user: null,
    submitAt,
  });
  const empty = snapshot([], [], NOW);
  const full = snapshot([running(10, 30_000, NOW)], [], NOW);

  test('a submission now is forecast by what the site looks like now', () => {
    const gridcast = trained(true);
    expect(gridcast.predict(query(NOW), empty, NOW).quantileSeconds[94]).toBeLessThan(13);
    expect(gridcast.predict(query(NOW), full, NOW).quantileSeconds[4]).toBeGreaterThan(8000);
  });

  test('one in some hours more vaguely, one tomorrow as if the state were not known', () => {
    const gridcast = trained(true);
    const soon = gridcast.predict(query(NOW + 20_000), empty, NOW);
    expect(soon.quantileSeconds[49]).toBeLessThan(13);
    expect(soon.quantileSeconds[94]).toBeGreaterThan(8000);
    const tomorrow = NOW + 86_400;
    expect(gridcast.predict(query(tomorrow), empty, NOW).quantileSeconds).toEqual(
      gridcast.predict(query(tomorrow), null, NOW).quantileSeconds,
    );
  });

  test('without observations, or for a site never observed, it answers as QBETS', () => {
    const blind = trained(false).predict(query(NOW), empty, NOW);
    expect(blind.quantileSeconds).toEqual(trained(true).predict(query(NOW), null, NOW).quantileSeconds);
    expect(blind.predictor).toBe('wait/gridcast');
  });
});
