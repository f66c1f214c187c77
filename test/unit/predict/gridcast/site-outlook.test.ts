import { describe, expect, test } from 'vitest';
import type { RuntimeForecast, SlotsForecast } from '../../../../src/domain/forecast.ts';
import type { EndedRecord, JobRequest } from '../../../../src/domain/job.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../../../../src/domain/snapshot.ts';
import type { RuntimePredictor } from '../../../../src/predict/predictor.ts';
import type { SlotsPredictor } from '../../../../src/predict/site-quantity.ts';
import { submissionFeatures } from '../../../../src/predict/wait/gridcast/features.ts';
import { planFeatures } from '../../../../src/predict/wait/gridcast/plan-features.ts';
import { SiteMemory } from '../../../../src/predict/wait/gridcast/site-memory.ts';
import { SiteOutlook } from '../../../../src/predict/wait/gridcast/site-outlook.ts';
import { planSite } from '../../../../src/predict/wait/gridcast/site-plans.ts';

const AT = 1_000_000;
const MADE = { predictor: 'of the test', version: '1', madeAt: AT };

/** Says that jobs run from 10 s to 990 s, evenly, once it was told of an end; counts how often it is asked. */
class Even implements RuntimePredictor {
  readonly name = 'of the test';
  readonly version = '1';
  asked = 0;
  private known = 0;

  predict(): RuntimeForecast {
    this.asked++;
    const step = this.known === 0 ? Number.POSITIVE_INFINITY : 10;
    const quantileSeconds = Array.from({ length: 99 }, (_, i) => step * (i + 1));
    return { ...MADE, sampleSize: this.known, pointSeconds: 50 * step, quantileSeconds };
  }

  ended(): void {
    this.known++;
  }
}

function waiting(nativeId: string, submitAt = AT): WaitingJob {
  const request: JobRequest = { user: 'ann', queue: null, processors: 4, requestedWalltimeSeconds: 2000 };
  return { nativeId, key: null, ...request, submitAt };
}

const running = (nativeId: string, startAt: number): RunningJob => ({ ...waiting(nativeId), startAt });
const ended = (nativeId: string): EndedRecord => ({
  ...waiting(nativeId),
  startAt: AT,
  endAt: AT + 9,
  outcome: 'COMPLETED',
});
const state = (queue: WaitingJob[], jobs: RunningJob[] = []): Snapshot => {
  return { observedAt: AT, processors: 16, freeProcessors: 16 - 4 * jobs.length, waiting: queue, running: jobs };
};

/** Features where nobody is given. */
const UNGIVEN = submissionFeatures(waiting('1'), AT, null, new SiteMemory()).length;

describe('how long the jobs of a site run, by who is given', () => {
  function outlookOf(predictor: Even): SiteOutlook {
    const outlook = new SiteOutlook({ runtimes: predictor });
    outlook.ended(ended('before'));
    return outlook;
  }

  test('a job is forecast once, at its submission or when it is first seen to wait', () => {
    const predictor = new Even();
    const outlook = outlookOf(predictor);
    outlook.submitted(waiting('1'));
    for (let look = 0; look < 3; look++) outlook.observed(state([waiting('1'), waiting('2')]));
    expect(predictor.asked).toBe(2);
    expect(outlook.runtimes?.of(waiting('2'))?.meanSeconds).toBeCloseTo(500);
  });

  test('a queue that is seen for the first time is forecast little by little', () => {
    const predictor = new Even();
    const outlook = outlookOf(predictor);
    const queue = Array.from({ length: 120 }, (_, i) => waiting(`${i}`));
    outlook.observed(state(queue));
    expect(predictor.asked).toBe(50);
    for (let look = 0; look < 2; look++) outlook.observed(state(queue));
    expect(predictor.asked).toBe(120);
  });

  test('a job that runs is read beyond what it has run; one that outran it all goes on for half as long again', () => {
    const outlook = outlookOf(new Even());
    outlook.submitted(waiting('1'));
    const memory = new SiteMemory(outlook);
    expect(memory.expectedRunSeconds(waiting('1'))).toBeCloseTo(500);
    expect(memory.expectedTotalSeconds(running('1', AT), AT)).toBeCloseTo(500);
    expect(memory.expectedTotalSeconds(running('1', AT - 900), AT)).toBeCloseTo((910 + 990) / 2);
    expect(memory.expectedTotalSeconds(running('1', AT - 1000), AT)).toBeCloseTo(1500);
  });

  test('an unknown job, and everyone before anything is known, is taken to run as its like did', () => {
    const memory = new SiteMemory(outlookOf(new Even()));
    expect(memory.expectedRunSeconds(waiting('never seen'))).toBe(1000);
    const untaught = new SiteOutlook({ runtimes: new Even() });
    untaught.submitted(waiting('1'));
    expect(new SiteMemory(untaught).expectedRunSeconds(waiting('1'))).toBe(1000);
  });

  test('a job that is over is forgotten once the states that it was in have been looked at', () => {
    const outlook = outlookOf(new Even());
    outlook.submitted(waiting('1'));
    outlook.ended(ended('1'));
    expect(outlook.runtimes?.of(waiting('1'))).not.toBeNull();
    outlook.observed(state([]));
    expect(outlook.runtimes?.of(waiting('1'))).toBeNull();
  });

  test('the plan of the queue and the job itself rest on it', () => {
    const outlook = outlookOf(new Even());
    for (const name of ['1', '2', '3', '4']) outlook.submitted(waiting(name));
    const memory = new SiteMemory(outlook);
    const full = state(
      [],
      ['1', '2', '3', '4'].map((name) => running(name, AT)),
    );
    expect(planFeatures(waiting('5'), planSite(full, AT, memory), 700).plannedWaitByExpectation).toBeCloseTo(500);
    expect(planFeatures(waiting('5'), planSite(full, AT, new SiteMemory()), 700).plannedWaitByExpectation).toBe(1000);
    const values = submissionFeatures(waiting('5'), AT, full, memory, outlook.runtimes?.ask(waiting('5'), full, AT));
    expect(values).toHaveLength(UNGIVEN + 3);
    expect(Array.from(values.slice(-3))).toEqual([100, 500, 900]);
  });
});

describe('what is going to arrive at a site, by who is given', () => {
  /** As many processors in each hour as it is ahead. */
  const load: SlotsPredictor = {
    name: 'of the test',
    version: '1',
    predict({ slots, slotSeconds }, _state, now): SlotsForecast {
      const each = (i: number) => ({ startsAt: now + i * slotSeconds, point: i + 1, percentiles: [], sampleSize: 9 });
      return { ...MADE, slotSeconds, slots: Array.from({ length: slots }, (_, i) => each(i)) };
    },
  };

  test('is added up to any moment of the next seven hours, as of the last look', () => {
    const { arrivals } = new SiteOutlook({ load });
    expect(arrivals?.within(3600)).toBeNaN();
    arrivals?.observed(state([]));
    expect([0, 1800, 3600, 5400, 7 * 3600, 9 * 3600].map((seconds) => arrivals?.within(seconds))).toEqual([
      0, 0.5, 1, 2, 28, 28,
    ]);
  });

  test('is known to the features of a submission', () => {
    const outlook = new SiteOutlook({ load });
    outlook.observed(state([]));
    const values = submissionFeatures(waiting('1'), AT, state([]), new SiteMemory(outlook));
    expect(Array.from(values.slice(UNGIVEN))).toEqual([1, 21]);
  });
});
