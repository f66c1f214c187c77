import { describe, expect, test } from 'vitest';
import type { RunningJob, Snapshot, WaitingJob } from '../../../../src/domain/snapshot.ts';
import { LaterFeatures } from '../../../../src/predict/wait/gridcast/later-features.ts';
import { SiteMemory } from '../../../../src/predict/wait/gridcast/site-memory.ts';
import { SitePast } from '../../../../src/predict/wait/gridcast/site-past.ts';
import { planLoad } from '../../../../src/predict/wait/site-load.ts';

const HOUR = 3600;
const DAY = 86_400;
/** A midnight that begins day 10, a Sunday when day 0 was a Thursday. */
const AT = 10 * DAY;

function waiting(processors: number, requestedWalltimeSeconds: number, submitAt = AT): WaitingJob {
  return { nativeId: 'w', key: null, user: null, queue: null, processors, requestedWalltimeSeconds, submitAt };
}

function running(processors: number, requestedWalltimeSeconds: number, startAt = AT): RunningJob {
  return { ...waiting(processors, requestedWalltimeSeconds, startAt), startAt };
}

function snapshot(observedAt: number, jobs: RunningJob[], queue: WaitingJob[] = []): Snapshot {
  const used = jobs.reduce((sum, { processors }) => sum + processors, 0);
  return { observedAt, processors: 10, freeProcessors: 10 - used, running: jobs, waiting: queue };
}

function pastOf(states: readonly Snapshot[]): SitePast {
  const past = new SitePast();
  for (const state of states) past.observe(state, planLoad(state));
  return past;
}

describe('the past of a site', () => {
  const isFree = (at: number) => Math.floor(at / (6 * HOUR)) % 4 === 0;
  const stateAt = (at: number) => snapshot(at, isFree(at) ? [] : [running(8, 1000, at)]);
  /** A day and more, every quarter of an hour, that ends at noon; the machine is free up to six in the morning. */
  const NOON = AT + 12 * HOUR;
  const past = pastOf(Array.from({ length: 150 }, (_, i) => stateAt(NOON - (149 - i) * 900)));

  test('how much was free, and for how long a job could have started at once', () => {
    expect(past.meanFreeProcessors(HOUR)).toBe(2);
    expect(past.meanFreeProcessors(DAY)).toBe(4);
    const sharesOf = (processors: number) => past.startableShares({ processors, walltimeSeconds: 60 }, [HOUR, DAY]);
    expect([1, 2, 3].map(sharesOf)).toEqual([
      [1, 1],
      [1, 1],
      [0, 0.25],
    ]);
  });

  test('what was planned at the same time of the day before, as far as it is known', () => {
    const job = { processors: 3, walltimeSeconds: 60 };
    expect(past.plannedWaitDaysBefore(job, NOON + 13 * HOUR, 1)).toBe(0);
    expect(past.plannedWaitDaysBefore(job, NOON + HOUR, 1)).toBe(1000);
    expect(past.plannedWaitDaysBefore(job, NOON + DAY + HOUR, 1)).toBe(1000);
    expect(past.plannedWaitDaysBefore(job, NOON + HOUR, 7)).toBeNaN();
  });

  test('the work that came: what the first snapshot shows is older', () => {
    const busy = pastOf([
      snapshot(AT, [running(1, 7200, AT - 10)]),
      snapshot(AT + 300, [running(1, 7200, AT - 10), running(2, 1800, AT + 100)], [waiting(3, 1200, AT + 200)]),
      snapshot(AT + 3750, [], [waiting(3, 1200, AT + 200)]),
    ]);
    expect(busy.arrivedProcessors(HOUR)).toBe(1);
    expect(busy.arrivedProcessors(2 * HOUR)).toBe(1);
    expect(pastOf([snapshot(AT, [running(1, 7200, AT - 10)])]).arrivedProcessors(HOUR)).toBe(0);
  });
});

describe('features of a later submission', () => {
  const state = snapshot(AT, [running(6, 4000)], [waiting(8, 2000, AT - 50)]);
  const featuresOf = (memory = new SiteMemory(), past = pastOf([state])) =>
    new LaterFeatures(state, planLoad(state), memory, past);

  test('what the plan says of its moment', () => {
    const later = { processors: 5, walltimeSeconds: 1000, submitAt: AT + 4500 };
    expect(featuresOf().jobFeatures(later)).toMatchObject({
      plannedWaitByRequest: 1500,
      spareThenByRequest: -0.3,
      leftOverByRequest: 0.5,
      spareNow: -0.1,
      leadSeconds: 4500,
      processors: 0.5,
      timeOfDaySeconds: 4500,
      dayOfWeek: 3,
    });
    expect(featuresOf().jobFeatures({ ...later, submitAt: AT + 6000 })).toMatchObject({ plannedWaitByRequest: 0 });
    expect(featuresOf().jobFeatures({ ...later, processors: 11 })).toMatchObject({ plannedWaitByRequest: 172_800 });
  });

  test('what is expected where jobs use half of their walltimes', () => {
    const memory = new SiteMemory();
    for (const job of state.running) memory.learnRuntime(job, 2000);
    const job = { processors: 5, walltimeSeconds: 1000, submitAt: AT + 2500 };
    expect(featuresOf(memory).jobFeatures(job)).toMatchObject({
      plannedWaitByRequest: 3500,
      plannedWaitByExpectation: 500,
    });
    expect(featuresOf(memory).siteFeatures()).toMatchObject({
      workLeftByRequest: 2400,
      workLeftByExpectation: 1200,
      waitingWorkByRequest: 1600,
      waitingWorkByExpectation: 800,
    });
  });

  test('the site: who waits and what runs, in shares of the machine', () => {
    expect(featuresOf().siteFeatures()).toMatchObject({
      freeProcessors: 0.4,
      waitingJobs: 1,
      waitingProcessors: 0.8,
      largestWaiting: 0.8,
      oldestWaitingAge: 50,
      startedLastHour: 0.6,
      freeLastHour: 0.4,
      lastWait: Number.NaN,
    });
  });

  test('one number to a name, with those that are set against the time waited', () => {
    const features = featuresOf();
    const job = { processors: 5, walltimeSeconds: 1000, submitAt: AT + 4500 };
    const row = features.of(job);
    expect([...row.values]).toEqual(
      Object.values({ ...features.jobFeatures(job), ...features.siteFeatures() }).map(Math.fround),
    );
    expect([row.plannedWaitSeconds[0], row.timeOfDaySeconds]).toEqual([1500, 4500]);
  });
});
