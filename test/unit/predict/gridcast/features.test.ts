import { describe, expect, test } from 'vitest';
import type { JobRequest, StartedRecord } from '../../../../src/domain/job.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../../../../src/domain/snapshot.ts';
import { namedFeatures, submissionFeatures } from '../../../../src/predict/wait/gridcast/features.ts';
import { SiteMemory } from '../../../../src/predict/wait/gridcast/site-memory.ts';

const ASKED: JobRequest = { user: 'ann', queue: 'batch', processors: 4, requestedWalltimeSeconds: 1000 };
const AT = 1e6;

const waiting = (age: number, rest: Partial<WaitingJob> = {}): WaitingJob => ({
  nativeId: `w${age}`,
  key: null,
  submitAt: AT - age,
  ...ASKED,
  ...rest,
});
const running = (waited: number, ran: number, rest: Partial<RunningJob> = {}): RunningJob => ({
  ...waiting(waited + ran, rest),
  startAt: AT - ran,
});
const started = (wait: number, rest: Partial<StartedRecord> = {}): StartedRecord => ({
  nativeId: 'r',
  ...ASKED,
  submitAt: AT - 500 - wait,
  startAt: AT - 500,
  endAt: null,
  outcome: null,
  ...rest,
});
const state = (queue: WaitingJob[], jobs: RunningJob[]): Snapshot => ({
  observedAt: AT,
  processors: 16,
  freeProcessors: 16 - jobs.reduce((sum, { processors }) => sum + processors, 0),
  waiting: queue,
  running: jobs,
});

function named(of: Snapshot | null, memory = new SiteMemory()): Record<string, number> {
  const asked = { job: ASKED, at: AT, memory, runtime: null };
  return Object.fromEntries(namedFeatures(asked, of).map(([name, value]) => [name, Math.fround(value)]));
}

describe('features of a submission', () => {
  test('names are one to a value', () => {
    const names = Object.keys(named(null));
    expect(names.length).toBeGreaterThan(100);
    expect(submissionFeatures(ASKED, AT, null, new SiteMemory())).toHaveLength(names.length);
  });

  test('the queue: who waits, for how long, who of them is like the job', () => {
    const found = named(
      state(
        [
          waiting(9000, { user: 'bob', processors: 8, requestedWalltimeSeconds: 2000 }),
          waiting(600, { queue: 'debug' }),
          waiting(300),
        ],
        [],
      ),
    );
    expect(found).toMatchObject({
      waitingJobs: 3,
      waitingOldestAge: 9000,
      waitingNewestAge: 300,
      waitingMeanAge: 3300,
    });
    expect(found).toMatchObject({ waitingWork: 24_000, waitingProcessors: 16, waitingArrivedLastHour: 2 });
    expect(found).toMatchObject({ waitingQueueJobs: 2, waitingUserJobs: 2, waitingUserOldestAge: 600 });
    expect(found).toMatchObject({
      waitingSmallerJobs: 2,
      waitingEasierJobs: 1,
      waitingSimilarJobs: 2,
      waitingTwinsJobs: 2,
    });
  });

  test('the machine: what is free, and how long those that run had waited', () => {
    const found = named(state([], [running(700, 100, { user: 'bob' }), running(50, 9000, { processors: 8 })]));
    expect(found).toMatchObject({ freeProcessors: 4, spareProcessors: 0, runningJobs: 2, runningUserProcessors: 8 });
    expect(found).toMatchObject({ runningLastStartWait: 700, runningStartedLastHour: 1, runningNewestSubmitAgo: 800 });
    expect(found.runningFadingMeanWait).toBeGreaterThan(500);
  });

  test('the plan: behind the queue and without it, by what was asked and by what is expected', () => {
    const memory = new SiteMemory();
    memory.learnRuntime(ASKED, 250);
    const found = named(state([waiting(10, { processors: 16 })], [running(0, 100, { processors: 16 })]), memory);
    expect(found).toMatchObject({ plannedWaitByRequest: 1900, plannedWaitByExpectation: 400 });
    expect(found).toMatchObject({ processorsFreeInByRequest: 900, processorsFreeInByExpectation: 150 });
    expect(found).toMatchObject({ expectedRunSeconds: 250, workLeftByExpectation: 2400, expectedWorkWaiting: 4000 });
  });

  test('the past: the latest waits of the site, the queue, the user and of jobs alike', () => {
    const memory = new SiteMemory();
    memory.learnWait(started(100, { user: 'bob', processors: 5 }));
    memory.learnWait(started(300, { startAt: AT - 200, submitAt: AT - 500 }));
    const found = named(null, memory);
    expect(found).toMatchObject({ siteLastWait: 300, siteMeanWait: 200, siteKnownWaits: 2, queueKnownWaits: 2 });
    expect(found).toMatchObject({ userLastWait: 300, userKnownWaits: 1, userLastStartAgo: 200, twinsMeanWait: 300 });
    expect(found).toMatchObject({ shapeKnownWaits: 2 });
  });

  test('what nobody watched is unknown, what never was too', () => {
    const found = named(null);
    expect(found.waitingJobs).toBeNaN();
    expect(found.plannedWaitByRequest).toBeNaN();
    expect(found.userLastWait).toBeNaN();
    expect(found.userKnownWaits).toBe(0);
    expect(named(state([], [])).waitingOldestAge).toBeNaN();
  });
});

describe('expected runtimes', () => {
  test('the share of its walltime that a job of the user ran, of the same size and walltime first', () => {
    const memory = new SiteMemory();
    memory.learnRuntime({ ...ASKED, processors: 1 }, 900);
    expect(memory.expectedRunSeconds(ASKED)).toBeCloseTo(900, 9);
    memory.learnRuntime(ASKED, 100);
    expect(memory.expectedRunSeconds(ASKED)).toBeCloseTo(100, 9);
    expect(memory.expectedRunSeconds({ ...ASKED, processors: 2 })).toBeCloseTo(900 + 0.4 * (100 - 900), 9);
    expect(memory.expectedRunSeconds({ ...ASKED, user: 'bob' })).toBeCloseTo(900 + 0.01 * (100 - 900), 9);
  });

  test('where nobody asks for a walltime, the time itself', () => {
    const memory = new SiteMemory();
    memory.learnRuntime({ ...ASKED, requestedWalltimeSeconds: null }, 5000);
    expect(memory.expectedRunSeconds({ ...ASKED, requestedWalltimeSeconds: null })).toBe(5000);
    expect(memory.expectedRunSeconds(ASKED)).toBe(500);
  });

  test('a job that outlived what was expected runs half as long again, but not past its walltime', () => {
    const memory = new SiteMemory();
    memory.learnRuntime(ASKED, 100);
    expect(memory.expectedTotalSeconds(running(0, 50), AT)).toBeCloseTo(100, 9);
    expect(memory.expectedTotalSeconds(running(0, 400), AT)).toBe(600);
    expect(memory.expectedTotalSeconds(running(0, 900), AT)).toBe(1000);
    expect(memory.expectedTotalSeconds(running(0, 2000), AT)).toBe(2060);
  });
});
