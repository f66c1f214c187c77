import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Cluster } from '../../../src/sim/cluster.ts';
import type { ConservativeScheduler } from '../../../src/sim/conservative-scheduler.ts';
import { JobState, outcomeOf } from '../../../src/sim/job-table.ts';
import type { Outage } from '../../../src/sim/outage.ts';
import { POLICIES, POLICY_NAMES, type Policy, TIE_RULES } from '../../../src/sim/policy.ts';
import { loaded, type SmallWorkload, smallWorkload, starts, watch } from './arbitrary-workload.ts';
import { referenceEasy } from './reference-easy.ts';

const EVERY_RULE = POLICY_NAMES.flatMap((name) => TIE_RULES.map((ties) => ({ name, ties, policy: POLICIES[name] })));

/** The most processors that jobs hold at once; an end and a start of one moment do not overlap. */
function mostHeld(cluster: Cluster): number {
  const { startAt, endAt, processors } = cluster.table.columns;
  const changes: { at: number; by: number }[] = [];
  for (let job = 0; job < cluster.table.length; job++) {
    if (Number.isNaN(startAt[job] as number)) continue;
    changes.push({ at: startAt[job] as number, by: processors[job] as number });
    changes.push({ at: endAt[job] as number, by: -(processors[job] as number) });
  }
  changes.sort((a, b) => a.at - b.at || a.by - b.by);
  let held = 0;
  return Math.max(...changes.map(({ by }) => (held += by)));
}

describe.each(EVERY_RULE)('$name with ties $ties', ({ policy, ties }) => {
  test('never uses more processors than there are', () => {
    fc.assert(
      fc.property(smallWorkload(40, true), (workload) => {
        const cluster = loaded(workload, { policy, ties });
        cluster.advanceTo(Number.POSITIVE_INFINITY);
        expect(mostHeld(cluster)).toBeLessThanOrEqual(workload.processors);
        expect(cluster.freeProcessors).toBe(workload.processors);
      }),
    );
  });

  test('conserves work: every job runs once, for its own time or until its walltime', () => {
    fc.assert(
      fc.property(smallWorkload(40, true), (workload) => {
        const cluster = loaded(workload, { policy, ties });
        cluster.advanceTo(Number.POSITIVE_INFINITY);
        const { startAt, endAt, outcome } = cluster.table.columns;
        for (const [index, job] of workload.jobs.entries()) {
          expect(startAt[index]).toBeGreaterThanOrEqual(job.submitAt);
          expect((endAt[index] as number) - (startAt[index] as number)).toBe(
            Math.min(job.runSeconds, job.walltimeSeconds),
          );
          const killed = job.runSeconds > job.walltimeSeconds;
          expect(outcomeOf(outcome[index] as number)).toBe(killed ? 'TIMEOUT' : 'COMPLETED');
        }
      }),
    );
  });

  test('is the same in many steps as in one', () => {
    fc.assert(
      fc.property(smallWorkload(), (workload) => {
        const whole = loaded(workload, { policy, ties });
        const stepped = loaded(workload, { policy, ties });
        whole.advanceTo(3000);
        for (let at = 0; at <= 3000; at += 7) stepped.advanceTo(at);
        expect(starts(stepped)).toEqual(starts(whole));
      }),
    );
  });
});

describe.each(POLICY_NAMES)('%s under trouble', (name) => {
  const policy: Policy = POLICIES[name];
  const outage: fc.Arbitrary<Outage> = fc.oneof(
    fc.record({ at: fc.nat(300), kind: fc.constantFrom('drain', 'down', 'resume') }),
    fc.record({ at: fc.nat(300), kind: fc.constant('resize' as const), processors: fc.integer({ min: 0, max: 1 }) }),
  );

  test('cancels and outages lose no processor and no job', () => {
    fc.assert(
      fc.property(
        smallWorkload(),
        fc.array(outage, { maxLength: 5 }),
        fc.array(fc.record({ at: fc.nat(300), job: fc.nat(39) }), { maxLength: 8 }),
        (workload, trouble, cancels) => {
          const back = [
            { at: 301, kind: 'resume' },
            { at: 301, kind: 'resize', processors: workload.processors },
          ] as const;
          const cluster = loaded(workload, { policy, outages: [...trouble, ...back] });
          for (const { at, job } of cancels.sort((a, b) => a.at - b.at)) {
            cluster.advanceTo(at);
            if (job < workload.jobs.length) cluster.cancel(job);
          }
          cluster.advanceTo(Number.POSITIVE_INFINITY);
          expect(mostHeld(cluster)).toBeLessThanOrEqual(workload.processors);
          expect(cluster.freeProcessors).toBe(workload.processors);
          const { state } = cluster.table.columns;
          expect(workload.jobs.map((_, job) => state[job])).toEqual(workload.jobs.map(() => JobState.ENDED));
        },
      ),
    );
  });
});

test('FCFS starts in the order of submission', () => {
  fc.assert(
    fc.property(smallWorkload(), (workload) => {
      const cluster = loaded(workload, { policy: POLICIES.fcfs });
      cluster.advanceTo(Number.POSITIVE_INFINITY);
      const started = starts(cluster);
      expect(started).toEqual([...started].sort((a, b) => a - b));
    }),
  );
});

test('SJF never starts a job while a shorter request waits', () => {
  fc.assert(
    fc.property(smallWorkload(), (workload) => {
      const { walltimeSeconds } = loaded(workload, { policy: POLICIES.sjf }).table.columns;
      const cluster = loaded(
        workload,
        { policy: POLICIES.sjf },
        {
          started: (job) => {
            const waitingShorter = [...waitingNow(cluster)].filter(
              (other) => (walltimeSeconds[other] as number) < (walltimeSeconds[job] as number),
            );
            expect(waitingShorter).toEqual([]);
          },
        },
      );
      cluster.advanceTo(Number.POSITIVE_INFINITY);
    }),
  );
});

function* waitingNow(cluster: Cluster): Generator<number> {
  for (let job = 0; job < cluster.table.length; job++) {
    if (cluster.table.columns.state[job] === JobState.WAITING) yield job;
  }
}

test('WFP takes the largest (wait / requested)^3 x size first', () => {
  const cluster = new Cluster({ processors: 4, policy: POLICIES.wfp });
  const order: number[] = [];
  const listening = new Cluster({ processors: 4, policy: POLICIES.wfp }, { started: (job) => order.push(job) });
  for (const target of [cluster, listening]) {
    target.submit({ submitAt: 0, processors: 4, walltimeSeconds: 100, runSeconds: 100 });
    target.submit({ submitAt: 10, processors: 4, walltimeSeconds: 300, runSeconds: 10 });
    target.submit({ submitAt: 50, processors: 3, walltimeSeconds: 60, runSeconds: 10 });
    target.submit({ submitAt: 60, processors: 2, walltimeSeconds: 60, runSeconds: 10 });
    target.advanceTo(Number.POSITIVE_INFINITY);
  }
  // At 100: (90/300)^3 x 4 = 0.108, (50/60)^3 x 3 = 1.736, (40/60)^3 x 2 = 0.593.
  expect(order.slice(0, 2)).toEqual([0, 2]);
  expect(order).toEqual([0, 2, 3, 1]);
});

test('WFP ranks a waiting job by what it is believed to run', () => {
  const order: number[] = [];
  const belief = { scope: 'waiting' as const, seconds: (_: unknown, job: number) => (job === 1 ? 20 : 100) };
  const cluster = new Cluster({ processors: 4, policy: POLICIES.wfp, belief }, { started: (job) => order.push(job) });
  cluster.submit({ submitAt: 0, processors: 4, walltimeSeconds: 100, runSeconds: 100 });
  cluster.submit({ submitAt: 60, processors: 4, walltimeSeconds: 100, runSeconds: 10 });
  cluster.submit({ submitAt: 10, processors: 4, walltimeSeconds: 100, runSeconds: 10 });
  cluster.advanceTo(Number.POSITIVE_INFINITY);
  // At 100: (40/20)^3 x 4 = 32 and (90/100)^3 x 4 = 2.9; by the requests it would be 0.3 and 2.9.
  expect(order).toEqual([0, 1, 2]);
});

test('EASY with the shortest first takes the head in the order of arrival and backfills the shortest', () => {
  const starts = (policy: Policy) => {
    const order: number[] = [];
    const cluster = new Cluster({ processors: 4, policy }, { started: (job) => order.push(job) });
    cluster.submit({ submitAt: 0, processors: 3, walltimeSeconds: 100, runSeconds: 100 });
    cluster.submit({ submitAt: 1, processors: 4, walltimeSeconds: 90, runSeconds: 90 });
    cluster.submit({ submitAt: 2, processors: 4, walltimeSeconds: 5, runSeconds: 5 });
    cluster.submit({ submitAt: 3, processors: 1, walltimeSeconds: 80, runSeconds: 80 });
    cluster.submit({ submitAt: 3, processors: 1, walltimeSeconds: 20, runSeconds: 20 });
    cluster.advanceTo(Number.POSITIVE_INFINITY);
    return order;
  };
  expect(starts(POLICIES.easy)).toEqual([0, 3, 1, 2, 4]);
  expect(starts(POLICIES['easy-sjbf'])).toEqual([0, 4, 1, 2, 3]);
});

test('EASY starts every job when the word-for-word reference does', () => {
  fc.assert(
    fc.property(smallWorkload(80), ({ processors, jobs }) => {
      const cluster = loaded({ processors, jobs }, { policy: POLICIES.easy });
      cluster.advanceTo(Number.POSITIVE_INFINITY);
      expect(starts(cluster)).toEqual(referenceEasy(processors, jobs));
    }),
    { numRuns: 400 },
  );
});

test('EASY never delays the head of the queue beyond the start it was reserved', () => {
  fc.assert(
    fc.property(smallWorkload(), (workload) => {
      const cluster = loaded(workload, { policy: POLICIES.easy });
      const { startAt, processors } = cluster.table.columns;
      const reservedAt = new Map<number, number>();
      watch(cluster, () => {
        const head = cluster.waiting()[Symbol.iterator]().next().value;
        if (head === undefined) return;
        const { shadowAt } = cluster.machine.reservationFor(processors[head] as number);
        expect(shadowAt).toBeLessThanOrEqual(reservedAt.get(head) ?? Number.POSITIVE_INFINITY);
        reservedAt.set(head, shadowAt);
      });
      for (const [head, at] of reservedAt) expect(startAt[head]).toBeLessThanOrEqual(at);
    }),
  );
});

test('conservative backfilling keeps every start it ever promised', () => {
  fc.assert(
    fc.property(smallWorkload(), (workload) => {
      const cluster = loaded(workload, { policy: POLICIES.conservative });
      const promisedAt = new Map<number, number>();
      watch(cluster, () => {
        for (const job of cluster.waiting()) {
          const promise = (cluster.scheduler as ConservativeScheduler).promiseOf(job);
          expect(promise).toBeLessThanOrEqual(promisedAt.get(job) ?? Number.POSITIVE_INFINITY);
          promisedAt.set(job, promise);
        }
      });
      for (const [job, at] of promisedAt) expect(cluster.table.columns.startAt[job]).toBeLessThanOrEqual(at);
    }),
  );
});

test('under conservative backfilling nobody is delayed by a later job when runtimes are as requested', () => {
  fc.assert(
    fc.property(smallWorkload(20), ({ processors, jobs }) => {
      const exact = jobs.map((job) => ({ ...job, runSeconds: job.walltimeSeconds }));
      const startsOf = (some: SmallWorkload['jobs']) => {
        const cluster = loaded({ processors, jobs: some }, { policy: POLICIES.conservative });
        cluster.advanceTo(Number.POSITIVE_INFINITY);
        return starts(cluster);
      };
      const all = startsOf(exact);
      for (let count = 1; count <= exact.length; count++) {
        expect(startsOf(exact.slice(0, count)).at(-1)).toBe(all[count - 1]);
      }
    }),
  );
});
