import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JobRecord } from '../../../src/domain/job.ts';
import type { Snapshot, WaitingJob } from '../../../src/domain/snapshot.ts';
import { Cluster } from '../../../src/sim/cluster.ts';
import type { SimulatedJob } from '../../../src/sim/job-table.ts';
import { LoggedJobs } from '../../../src/sim/logged-jobs.ts';
import { POLICIES, POLICY_NAMES, TIE_RULES } from '../../../src/sim/policy.ts';
import { ReplayedSite, type ReplayedSiteListener, type ReplayedSiteOptions } from '../../../src/sim/replayed-site.ts';
import { UNKNOWN_ROW, Workload } from '../../../src/sim/workload.ts';

const PROCESSORS = 10;

function job(
  submitAt: number,
  processors: number,
  walltimeSeconds: number,
  runSeconds = walltimeSeconds,
): SimulatedJob {
  return { submitAt, processors, walltimeSeconds, runSeconds };
}

/** A log of the jobs; the owner of job i is user i, its queue is 1 or 2. */
function log(jobs: readonly SimulatedJob[]): Workload {
  const workload = new Workload('by hand');
  workload.queueNames = new Map([[1, 'long']]);
  for (const [index, { submitAt, processors, walltimeSeconds, runSeconds }] of jobs.entries()) {
    workload.add({
      ...UNKNOWN_ROW,
      id: 100 + index,
      submitAt,
      runSeconds,
      allocatedProcessors: processors,
      requestedSeconds: walltimeSeconds,
      user: index,
      queue: 1 + (index % 2),
    });
  }
  return workload;
}

function siteOf(
  jobs: readonly SimulatedJob[],
  options: Partial<ReplayedSiteOptions> = {},
  listener: ReplayedSiteListener = {},
): ReplayedSite {
  const source = new LoggedJobs(log(jobs), PROCESSORS, options.ties);
  return new ReplayedSite(source, { processors: PROCESSORS, policy: POLICIES.easy, ...options }, listener);
}

/** Lives through all; the history of each job of the log by its number, without those that never came. */
function run(jobs: readonly SimulatedJob[], options: Partial<ReplayedSiteOptions> = {}) {
  const site = siteOf(jobs, options);
  site.advanceTo(Number.POSITIVE_INFINITY);
  return new Map(Array.from(site.sourceNumbers, (number, row) => [number, site.record(row)] as const));
}

function startsOf(histories: ReadonlyMap<number, JobRecord>): (number | null | undefined)[] {
  const numbers = [...histories.keys()].sort((a, b) => a - b);
  return numbers.map((number) => histories.get(number)?.startAt);
}

const someJobs = fc
  .array(
    fc.record({
      pause: fc.nat(12),
      processors: fc.integer({ min: 1, max: PROCESSORS }),
      walltimeSeconds: fc.integer({ min: 1, max: 60 }),
      share: fc.integer({ min: 1, max: 100 }),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((drafts) => {
    let submitAt = 0;
    return drafts.map(({ pause, processors, walltimeSeconds, share }) => {
      submitAt += pause;
      return job(submitAt, processors, walltimeSeconds, Math.ceil((walltimeSeconds * share) / 100));
    });
  });

describe.each(
  POLICY_NAMES.flatMap((name) => TIE_RULES.map((ties) => [name, ties] as const)),
)('%s, %s', (name, ties) => {
  const policy = POLICIES[name];

  test('a log that is lived through is a log that was handed in as a whole', () => {
    fc.assert(
      fc.property(someJobs, (jobs) => {
        const cluster = new Cluster({ processors: PROCESSORS, policy, ties });
        for (const one of jobs) cluster.submit(one);
        cluster.advanceTo(Number.POSITIVE_INFINITY);
        const expected = [...cluster.table.columns.startAt.subarray(0, jobs.length)];
        expect(startsOf(run(jobs, { policy, ties }))).toEqual(expected);
        const asked = run(jobs, { policy, ties, atSubmission: ({ job: one }) => one });
        expect(startsOf(asked)).toEqual(expected);
      }),
    );
  });
});

test('what is told is the same in many steps as in one', () => {
  const diaryOf = (jobs: readonly SimulatedJob[], moments: readonly number[]) => {
    const diary: unknown[] = [];
    const site = siteOf(
      jobs,
      { watch: { fromAt: 3, everySeconds: 7 } },
      {
        submitted: (row, at) => diary.push(['submitted', row, at]),
        started: (row, at) => diary.push(['started', site.record(row), at]),
        ended: (row, at) => diary.push(['ended', site.record(row), at]),
        observed: (snapshot) => diary.push(['observed', snapshot]),
      },
    );
    for (const at of moments) site.advanceTo(at);
    return diary;
  };
  fc.assert(
    fc.property(someJobs, fc.array(fc.nat(900), { maxLength: 20 }), (jobs, stops) => {
      const stepped = diaryOf(jobs, [...stops.sort((a, b) => a - b), 1000]);
      expect(stepped).toEqual(diaryOf(jobs, [1000]));
    }),
  );
});

test('a snapshot shows all of its moment, who waits, who runs and in which queue', () => {
  const seen: Snapshot[] = [];
  const site = siteOf(
    [job(0, 10, 50), job(10, 4, 50)],
    { watch: { fromAt: 10, everySeconds: 10 } },
    { observed: (snapshot) => seen.push(snapshot) },
  );
  site.advanceTo(10);
  expect(seen).toEqual([]);
  site.submit(job(10, 1, 5), { user: 'gridcast', queue: 'short', key: 'k' });
  site.advanceTo(11);
  expect(site.latest).toBe(seen[0]);
  expect(seen).toMatchObject([
    {
      observedAt: 10,
      freeProcessors: 0,
      running: [{ nativeId: '1', user: '0', queue: 'long', key: null, startAt: 0 }],
      waiting: [
        { nativeId: '2', user: '1', queue: '2', submitAt: 10 },
        { nativeId: '3', user: 'gridcast', queue: 'short', key: 'k' },
      ],
    },
  ]);
});

test('a site that is to hide owners shows neither users nor queues, and keys all the same', () => {
  const site = siteOf([job(0, 10, 50)], { showsOwners: false });
  site.submit(job(5, 1, 5), { user: 'gridcast', queue: 'short', key: 'k' });
  site.advanceTo(6);
  expect(site.snapshot()).toMatchObject({
    running: [{ user: null, queue: null, key: null }],
    waiting: [{ user: null, queue: null, key: 'k' }],
  });
});

test('without end it is watched until nothing happens any more', () => {
  const seen: number[] = [];
  const site = siteOf(
    [job(0, 1, 25)],
    { watch: { fromAt: 0, everySeconds: 10 } },
    { observed: ({ observedAt }) => seen.push(observedAt) },
  );
  site.advanceTo(Number.POSITIVE_INFINITY);
  expect(seen).toEqual([0, 10, 20, 30]);
  expect(site.latest).toMatchObject({ running: [], freeProcessors: PROCESSORS });
  expect(site.nextSubmitAt).toBe(Number.POSITIVE_INFINITY);
});

describe('a submission may be reshaped', () => {
  test('another size, walltime, runtime and queue, and it is killed at the walltime it asked for then', () => {
    const histories = run([job(0, 10, 100), job(1, 8, 100, 90), job(2, 2, 100)], {
      atSubmission: ({ number, job: one }) =>
        number === 1 ? { ...one, processors: 4, walltimeSeconds: 60, runSeconds: 180, queue: 'wide' } : one,
    });
    expect(histories.get(1)).toMatchObject({
      processors: 4,
      requestedWalltimeSeconds: 60,
      user: '1',
      queue: 'wide',
      startAt: 100,
      endAt: 160,
      outcome: 'TIMEOUT',
    });
    expect(histories.get(2)).toMatchObject({ startAt: 100, queue: 'long' });
  });

  test('one that is not handed in leaves no trace, and the others keep their numbers', () => {
    const histories = run([job(0, 10, 100), job(1, 10, 100), job(2, 10, 100)], {
      atSubmission: ({ user, job: one }) => (user === '1' ? null : one),
    });
    expect([...histories.keys()]).toEqual([0, 2]);
    expect(histories.get(2)?.startAt).toBe(100);
  });

  test('whoever reshapes sees the site as it was before anything of that moment', () => {
    const seen: Snapshot[] = [];
    run([job(0, 10, 50), job(20, 5, 50), job(50, 5, 50), job(50, 6, 50)], {
      atSubmission: ({ job: one }, site) => {
        seen.push(site.snapshot());
        return one;
      },
    });
    expect(seen.map(({ observedAt }) => observedAt)).toEqual([0, 20, 50, 50]);
    // The first job ends at 50, and the third is submitted at 50: the third and the fourth see neither.
    for (const snapshot of seen.slice(2)) {
      expect(snapshot).toMatchObject({ freeProcessors: 0, running: [{ nativeId: '1' }], waiting: [{ nativeId: '2' }] });
      expect(snapshot.waiting).toHaveLength(1);
    }
  });

  test.each([
    ['a size beyond the machine', { processors: 11 }, /11 processors does not fit a machine of 10/],
    ['no walltime', { walltimeSeconds: 0 }, /must be positive/],
    ['no moment', { submitAt: Number.NaN }, /put off to NaN/],
    ['never', { submitAt: Number.POSITIVE_INFINITY }, /put off to Infinity/],
  ])('%s is loud', (_, shape, words) => {
    expect(() => run([job(0, 1, 10)], { atSubmission: ({ job: one }) => ({ ...one, ...shape }) })).toThrow(words);
  });
});

describe('a submission may be put off', () => {
  test('it is asked about again then, and may be put off further', () => {
    const asked: [number, number, number][] = [];
    const histories = run([job(0, 4, 10), job(5, 4, 10)], {
      atSubmission: ({ number, at, job: one }) => {
        asked.push([number, at, one.submitAt]);
        return number === 0 && at < 40 ? { ...one, submitAt: at + 20 } : one;
      },
    });
    expect(asked).toEqual([
      [0, 0, 0],
      [1, 5, 5],
      [0, 20, 0],
      [0, 40, 0],
    ]);
    expect(histories.get(0)).toMatchObject({ submitAt: 40, startAt: 40 });
    expect(histories.get(1)).toMatchObject({ submitAt: 5 });
  });

  test('whatever is put off, each job is handed in at its moment, those put off first', () => {
    fc.assert(
      fc.property(someJobs, fc.array(fc.nat(60), { minLength: 40, maxLength: 40 }), (jobs, delays) => {
        const histories = run(jobs, {
          atSubmission: ({ number, at, job: one }) => {
            const submitAt = one.submitAt + (delays[number] as number);
            return submitAt > at ? { ...one, submitAt } : one;
          },
        });
        const moved = jobs
          .map((one, number) => ({ ...one, number, submitAt: one.submitAt + (delays[number] as number) }))
          .sort((a, b) => a.submitAt - b.submitAt || isPrompt(a.number) - isPrompt(b.number) || a.number - b.number);
        function isPrompt(number: number): number {
          return delays[number] === 0 ? 1 : 0;
        }
        const cluster = new Cluster({ processors: PROCESSORS, policy: POLICIES.easy });
        for (const one of moved) cluster.submit(one);
        cluster.advanceTo(Number.POSITIVE_INFINITY);
        for (const [row, { number, submitAt }] of moved.entries()) {
          expect(histories.get(number)).toMatchObject({ submitAt, startAt: cluster.table.columns.startAt[row] });
        }
      }),
    );
  });

  test('what is put off is still to come when the log is over', () => {
    const site = siteOf([job(0, 4, 10)], {
      atSubmission: ({ at, job: one }) => (at < 30 ? { ...one, submitAt: 30 } : one),
    });
    site.advanceTo(10);
    expect([site.taken, site.nextSubmitAt]).toEqual([1, 30]);
    site.advanceTo(30);
    expect(site.nextSubmitAt).toBe(Number.POSITIVE_INFINITY);
    expect(site.snapshot().running).toMatchObject([{ submitAt: 30, user: '0' }]);
  });
});

describe('estimates may stand in for walltimes', () => {
  // The head needs all processors and is promised them at 100; the last job asks for 120 and needs 40.
  const jobs = [job(0, 6, 100), job(1, 10, 50), job(2, 4, 120, 40)];

  test('by whose job it is, while the site goes on showing what was asked for', () => {
    expect(run(jobs).get(2)?.startAt).toBe(150);
    const estimates = {
      scope: 'waiting' as const,
      seconds: ({ user, requestedWalltimeSeconds }: WaitingJob) =>
        user === '2' ? 60 : (requestedWalltimeSeconds ?? 0),
    };
    expect(run(jobs, { estimates }).get(2)).toMatchObject({ startAt: 2, requestedWalltimeSeconds: 120 });
  });

  test.each(['waiting', 'all'] as const)('for %s: who was believed too little is killed at his walltime', (scope) => {
    const atSubmission = ({ job: one }: { job: SimulatedJob }) => ({ ...one, runSeconds: 500 });
    const histories = run([job(0, 10, 100), job(1, 1, 10)], { atSubmission, estimates: { scope, seconds: () => 10 } });
    expect(histories.get(0)).toMatchObject({ endAt: 100, outcome: 'TIMEOUT' });
    expect(histories.get(1)).toMatchObject({ startAt: 100, endAt: 110, outcome: 'TIMEOUT' });
  });

  test('they learn how long each job ran, and nothing before it ended', () => {
    const told: unknown[] = [];
    run([job(0, 1, 100, 30), job(0, 1, 100, 20), job(0, 1, 100)], {
      atSubmission: ({ number, job: one }) => (number === 2 ? { ...one, runSeconds: 400 } : one),
      estimates: {
        scope: 'waiting',
        seconds: (one) => {
          expect(one).not.toHaveProperty('startAt');
          return 100;
        },
        ended: ({ user, endAt, outcome }) => told.push([user, endAt, outcome]),
      },
    });
    expect(told).toEqual([
      ['1', 20, 'COMPLETED'],
      ['0', 30, 'COMPLETED'],
      ['2', 100, 'TIMEOUT'],
    ]);
  });

  test('never anybody starts otherwise where they are the walltimes', () => {
    fc.assert(
      fc.property(someJobs, fc.constantFrom(...POLICY_NAMES), (some, name) => {
        const policy = POLICIES[name];
        const seconds = (one: { requestedWalltimeSeconds: number | null }) => one.requestedWalltimeSeconds ?? 1;
        const plain = startsOf(run(some, { policy }));
        for (const scope of ['waiting', 'all'] as const) {
          expect(startsOf(run(some, { policy, estimates: { scope, seconds } }))).toEqual(plain);
        }
      }),
    );
  });
});
