import { expect, test } from 'vitest';
import { delaySchedule } from '../../../src/experiment/delay/delay-schedule.ts';
import { delayVariant } from '../../../src/experiment/delay/delay-variants.ts';
import { DelayedSubmissions, type DelayJudge } from '../../../src/experiment/delay/delayed-submissions.ts';
import { ForecastRuntimes, TRUE_RUNTIMES } from '../../../src/experiment/delay/job-runtimes.ts';
import { stateThen } from '../../../src/experiment/delay/state-then.ts';
import { runExperiment } from '../../../src/experiment/run/run-experiment.ts';
import { RequestedWalltime } from '../../../src/predict/baseline/requested.ts';
import { generateWorkload } from '../../../src/sim/generator.ts';

const source = { generated: { seed: 3, load: 0.9, processors: 64, jobs: 900 } };
const workload = generateWorkload({ seed: 3, load: 0.9, processors: 64, fromAt: 0 }, 900);

const COMMON = { runtimes: 'baseline/requested', settings: '', range: { from: 0, to: 9 }, seed: 1 };

/** Holds each job back for ten minutes. */
const TEN_MINUTES: DelayJudge = {
  endsAt: (site) => [site.now + 600],
  responses: () => ({ atOnceSeconds: 1000, delayedSeconds: 100 }),
};

test('jobs that come while one is held go as long after it as they came after it, in their order', () => {
  const terms = { from: 100, to: 160, leastReduction: 0.3, holdsOthers: true };
  const submissions = new DelayedSubmissions(TEN_MINUTES, terms);
  const handedIn: [number: number, at: number][] = [];
  delaySchedule(workload, {
    processors: 64,
    atSubmission(arrival, site) {
      const job = submissions.atSubmission(arrival, site);
      if (job && job.submitAt <= arrival.at) handedIn.push([arrival.number, arrival.at]);
      return job;
    },
  });
  const held = handedIn.filter(([number]) => number >= 100 && number < 160);
  expect(held.map(([number]) => number)).toEqual(Array.from({ length: 60 }, (_, index) => 100 + index));
  const delays = held.map(([number, at]) => at - (workload.columns.submitAt[number] as number));
  expect(Math.max(...delays)).toBe(600);
  expect(delays.filter((delay) => delay === 600).length).toBeGreaterThan(submissions.heads.length);
  expect(submissions.heads.length + submissions.behindSeconds.length).toBe(60);
  for (const [number, at] of handedIn) {
    if (number < 100) expect(at).toBe(workload.columns.submitAt[number]);
  }
});

test('a site that nobody comes to is seen as it will be: who ends has ended, who waits has started', () => {
  const job = (nativeId: string, processors: number, seconds: number) => {
    const request = { nativeId, key: null, user: null, queue: null, processors, submitAt: 0 };
    return { ...request, requestedWalltimeSeconds: seconds };
  };
  const running = [{ ...job('1', 6, 900), startAt: 50 }];
  const state = { observedAt: 100, processors: 8, freeProcessors: 2, running, waiting: [job('2', 4, 900)] };
  const then = stateThen(state, 400, ({ nativeId }) => (nativeId === '1' ? 150 : 800));
  expect(then).toMatchObject({ observedAt: 400, freeProcessors: 4, waiting: [] });
  expect(then.running).toMatchObject([{ nativeId: '2', startAt: 200 }]);
  expect(stateThen(state, 150, () => 800).waiting).toMatchObject([{ nativeId: '2' }]);
});

test('rows say what became of responses, and by a plan of the queue nobody is held back', async () => {
  const parameters = {
    history: 200,
    jobs: 600,
    variants: 'plan@0,plan/true@0,blind/true,one-at-a-time,molding,molding+plan',
    every: 20,
  };
  const told = { source, parameters: { ...parameters, runtimes: 'baseline/requested' } };
  const { rows } = await runExperiment('delay', told);
  const [baseline, plan, truth, blind, alone, molded, both] = rows;
  expect(baseline).toMatchObject({ name: 'baseline', reductionPercent: 0 });
  for (const row of [plan, truth]) expect(row).toMatchObject({ reductionPercent: 0, heldJobs: 0 });
  expect(blind).toMatchObject({ name: 'delay/blind/true', jobs: baseline?.jobs });
  expect(blind?.heldJobs).toBeGreaterThan(0);
  expect(blind?.meanResponseSeconds).not.toBe(baseline?.meanResponseSeconds);
  expect(alone?.bestReductionPercent).toBeGreaterThanOrEqual(Number(alone?.reductionPercent));
  expect(molded).toMatchObject({ name: 'delay/molding', jobs: baseline?.jobs, heldJobs: 0 });
  expect(molded?.meanResponseSeconds).not.toBe(baseline?.meanResponseSeconds);
  expect(both).toMatchObject({ name: 'delay/molding+plan', jobs: baseline?.jobs });
  expect((await runExperiment('delay', told)).rows).toEqual(rows);
});

test('a job that runs is expected to run longer than it has, and never beyond its walltime', () => {
  const runtimes = new ForecastRuntimes(new RequestedWalltime());
  const job = { nativeId: '1', key: null, user: null, queue: null, processors: 1, submitAt: 0 };
  const running = { ...job, requestedWalltimeSeconds: 600, startAt: 0 };
  expect(runtimes.ofJob(running, { now: 100 } as never)).toBe(600);
  runtimes.submitted(running);
  expect(runtimes.ofJob(running, { now: 100 } as never)).toBe(600);
  expect(TRUE_RUNTIMES.ofArrival({ job: { runSeconds: 7 } } as never)).toBe(7);
});

test.each([
  '',
  'unknown',
  'then:wait/nothing',
  'then',
  'plan@',
  'plan@100',
  'molding/true',
])('there is no variant %j', (name) => {
  expect(() => delayVariant(name, COMMON)).toThrow(/delay has no variant/);
});

test('a variant may have another threshold, and true runtimes', () => {
  expect(delayVariant('plan/true@5', COMMON)).toMatchObject({ leastReduction: 0.05, runtimes: null });
  expect(delayVariant('then:wait/qbets', COMMON).listeners).toHaveLength(2);
  expect(delayVariant('plan', COMMON).leastReduction).toBe(0.3);
});
