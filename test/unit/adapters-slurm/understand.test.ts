import { describe, expect, test } from 'vitest';
import { hasEnded, meaningOf, type SlurmJob, type SlurmPartition } from '../../../adapters/slurm/slurm-job.ts';
import {
  asMaintenance,
  asNativeJob,
  asQueue,
  asRecord,
  earlierRunSeconds,
  runOf,
  splitQueue,
  together,
} from '../../../adapters/slurm/understand.ts';
import { JOB_OUTCOMES } from '../../../src/domain/job.ts';

const job: SlurmJob = {
  id: '7',
  name: 'gridcast.gc-a-1',
  user: 'alice',
  partition: 'batch',
  state: 'PENDING',
  processors: 4,
  timeLimitSeconds: 600,
  priority: 10,
  submitAt: 1000,
  startAt: null,
  endAt: null,
  hasNodes: false,
  exitCode: null,
};
const ended: SlurmJob = { ...job, state: 'COMPLETED', startAt: 1010, endAt: 1100, hasNodes: true, exitCode: 0 };

describe('a job', () => {
  test('waits under its key; what Slurm guesses of its start is no start', () => {
    const { waiting, running } = splitQueue([{ ...job, startAt: 5000, endAt: 6000 }]);
    expect(waiting).toMatchObject([{ nativeId: '7', key: 'gc-a-1', processors: 4, requestedWalltimeSeconds: 600 }]);
    expect(running).toEqual([]);
    expect(asNativeJob({ ...job, startAt: 5000 })).toMatchObject({ state: 'WAITING', startAt: null });
  });

  test("of somebody else's has no key", () => {
    expect(splitQueue([{ ...job, name: 'gc-a-1' }]).waiting[0]?.key).toBeNull();
  });

  test('of higher priority stands before others', () => {
    const jobs = [job, { ...job, id: '8', priority: 11 }, { ...job, id: '9', submitAt: 999 }];
    expect(splitQueue(jobs).waiting.map(({ nativeId }) => nativeId)).toEqual(['8', '9', '7']);
  });

  test.each(JOB_OUTCOMES)('can end as %s', (outcome) => {
    expect(asNativeJob({ ...ended, state: outcome })).toMatchObject({ state: 'ENDED', outcome, endAt: 1100 });
    expect(asRecord({ ...ended, state: outcome })).toMatchObject({ outcome, startAt: 1010 });
  });

  test('that never had nodes never started, whatever moment Slurm shows', () => {
    const cancelled = { ...ended, state: 'CANCELLED', hasNodes: false, startAt: 1100 };
    expect(asNativeJob(cancelled)).toMatchObject({ outcome: 'CANCELLED', startAt: null, endAt: 1100 });
  });

  test('in a state that is not known is nothing at all', () => {
    expect(meaningOf('TELEPORTING')).toBeNull();
    expect(asNativeJob({ ...job, state: 'TELEPORTING' })).toBeNull();
    expect(splitQueue([{ ...job, state: 'TELEPORTING' }])).toEqual({ waiting: [], running: [] });
    const reasonIn = (state: string) => splitQueue([{ ...job, state, startAt: 5000 }]).running[0]?.reason;
    expect(['RUNNING', 'SUSPENDED', 'STOPPED'].map(reasonIn)).toEqual([undefined, 'SUSPENDED', 'STOPPED']);
  });

  test.each([
    ['FAILED', { exitCode: 7, signal: null }, { exitCode: 7 }],
    [
      'FAILED',
      { exitCode: 9, otherExitCode: 137, signal: null },
      { exitCode: 9, note: expect.stringContaining('or 137') },
    ],
    ['FAILED', { exitCode: null, signal: 9 }, { exitCode: 137 }],
    ['FAILED', { exitCode: null, signal: 53 }, { exitCode: null, note: expect.stringMatching(/output files.*53/) }],
    ['FAILED', { exitCode: null, signal: 54 }, { exitCode: null, note: expect.stringMatching(/started.*54/) }],
    ['TIMEOUT', { exitCode: 0, signal: null }, { exitCode: null }],
    ['CANCELLED', { exitCode: 0, signal: 15 }, { exitCode: null }],
  ])('that ended as %s with %o tells %o', (state, end, told) => {
    expect(asNativeJob({ ...ended, state, ...end })).toMatchObject(told);
  });

  test('that has not ended is no record', () => {
    expect(asRecord({ ...job, state: 'RUNNING', hasNodes: true, startAt: 1001 })).toBeNull();
  });
});

describe('which job is meant', () => {
  const ref = { nativeId: '7', submittedAt: 1001 };

  test('the one that was submitted then', () => {
    expect(runOf(ref, [job])).toBe(job);
    expect(runOf(ref, [{ ...job, submitAt: 90_000 }])).toBeNull();
    expect(runOf(ref, [{ ...job, id: '8' }])).toBeNull();
  });

  test('the one that bears the key, not one that got its id within seconds', () => {
    const other = { ...job, name: 'gridcast.gc-b-1', submitAt: 1003 };
    expect(runOf({ ...ref, key: 'gc-a-1' }, [other])).toBeNull();
    expect(runOf({ ...ref, key: 'gc-b-1' }, [job, other])).toBe(other);
  });

  test('where none bears a key the one that was submitted then: jobs give themselves other names', () => {
    const renamed = { ...job, name: 'phase1' };
    expect(runOf({ ...ref, key: 'gc-a-1' }, [renamed])).toBe(renamed);
    expect(runOf({ ...ref, key: 'gc-a-1' }, [{ ...renamed, submitAt: 90_000 }])).toBeNull();
    expect(runOf({ ...ref, key: 'gc-a-1' }, [renamed, { ...job, name: 'gridcast.gc-a-1' }])?.name).toBe(
      'gridcast.gc-a-1',
    );
  });

  test.each([
    'phase1',
    'gridcast.gc-a-1',
  ])('where accounting knows %s as put back, the newest run of its id', (name) => {
    const keyed = { ...ref, key: 'gc-a-1' };
    const putBack = { ...ended, name, state: 'REQUEUED' };
    const again = { ...job, name: 'phase1', submitAt: 90_000 };
    expect(runOf(keyed, [putBack, again])).toBe(again);
    expect(runOf(keyed, [putBack, again], hasEnded)).toBeNull();
    expect(
      runOf(keyed, [
        { ...putBack, state: 'COMPLETED' },
        { ...again, name: 'other' },
      ])?.name,
    ).toBe(name);
    expect(runOf(keyed, [putBack, { ...again, name: 'gridcast.gc-b-1' }])).toBe(putBack);
    expect(earlierRunSeconds(again, [putBack])).toBe(90);
  });

  test('in its newest run, under the submission time that it got when it was put back', () => {
    const again = { ...job, submitAt: 5000 };
    expect(runOf(ref, [again, { ...ended, state: 'NODE_FAIL' }])).toBe(again);
    expect(runOf({ ...ref, key: 'gc-a-1' }, [again])).toBe(again);
  });
});

describe('how a job ended, by accounting and queue', () => {
  test('is what accounting says, with the exit code of the queue', () => {
    const noCode = { ...ended, exitCode: null };
    expect(together(noCode, { ...ended, exitCode: 7, endAt: 1101 })).toEqual({ ...ended, exitCode: 7 });
    const cut = { ...ended, exitCode: 9, otherExitCode: 137, signal: null };
    expect(together(cut, { ...ended, exitCode: 137 })).not.toHaveProperty('otherExitCode');
    expect(together(cut, { ...ended, exitCode: null })).toMatchObject({ exitCode: 9, otherExitCode: 137 });
    expect(together(null, ended)).toBe(ended);
    expect(together(ended, undefined)).toBe(ended);
  });

  test('is not how an earlier run ended whose end is all that accounting has by now', () => {
    const preempted = { ...ended, state: 'PREEMPTED', exitCode: null };
    const again = { ...ended, submitAt: 1100, startAt: 1110, endAt: 1200 };
    expect(together(preempted, again)).toBe(again);
    expect(together(again, preempted)).toBe(again);
  });
});

describe('a queue', () => {
  const partition = {
    name: 'batch',
    isDefault: true,
    isUp: true,
    state: 'UP',
    access: {
      ...{ isOfOtherGroups: false, isRootOnly: false, needsReservation: false },
      ...{ allowAccounts: null, denyAccounts: [], allowQos: null, denyQos: [] },
    },
    processors: 64,
    nodes: 4,
    maxNodes: 2,
    maxProcessorsPerNode: 12,
    maxSeconds: 3600,
    ...{ defaultMemory: null, maxMemoryPerProcessorMebibytes: null, isWholeNodes: false, billingWeights: '' },
  };
  const open = { ...partition, maxNodes: null, maxProcessorsPerNode: null, maxSeconds: null };

  test('is down, or not for us, and says why', () => {
    expect(asQueue(partition, null, null)).toMatchObject({ name: 'batch', isDefault: true, bar: null });
    const drained = { ...partition, isUp: false, state: 'DRAIN' };
    expect(asQueue(drained, null, null)).toMatchObject({ bar: 'DOWN', unusableBecause: 'its state is DRAIN' });
    const forbidden = { because: 'no', term: 'qos' } as const;
    expect(asQueue(drained, null, forbidden)).toMatchObject({
      bar: 'FORBIDDEN',
      unusableBecause: 'no',
      barredTerm: 'qos',
    });
  });

  test('of nodes that are not told is taken to have them all alike', () => {
    expect(asQueue(partition, null, null)).toMatchObject({ maxProcessors: 24, maxWalltimeSeconds: 3600 });
    expect(asQueue(open, null, null)).toMatchObject({
      ...{ maxProcessors: 64, maxWalltimeSeconds: null, usableProcessors: null },
    });
    expect(asQueue({ ...open, nodes: 0, processors: 0 }, null, null)).toMatchObject({ maxProcessors: 0 });
  });

  test('has the largest job that its nodes can ever hold, and those in service', () => {
    const some = { partition: 'batch', hostlist: '', processorsPerNode: 4, isInService: true, equipment: null };
    const nodes = [
      { ...some, nodes: 3 },
      { ...some, nodes: 1, processorsPerNode: 64, isInService: false },
      { ...some, nodes: 9, partition: 'other' },
    ];
    const sizes = (change: Partial<SlurmPartition>) => {
      const { maxProcessors, usableProcessors } = asQueue({ ...open, ...change }, nodes, null);
      return [maxProcessors, usableProcessors];
    };
    expect(sizes({})).toEqual([76, 12]);
    expect(sizes({ maxNodes: 2 })).toEqual([68, 8]);
    expect(sizes({ maxProcessorsPerNode: 8 })).toEqual([20, 12]);
    expect(sizes({ maxNodes: 2, maxProcessorsPerNode: 3 })).toEqual([6, 6]);
    expect(asQueue({ ...open, name: 'empty' }, nodes, null)).toMatchObject({ maxProcessors: 0, usableProcessors: 0 });
  });

  test('loses to a reservation the nodes that it has a part of', () => {
    const alike = { partition: 'batch', nodes: 4, hostlist: 'n[1-4]', processorsPerNode: 4, isInService: true };
    const some = { ...alike, equipment: null };
    const nodes = [some, { ...some, partition: 'pair', nodes: 2, hostlist: 'n[3-4]' }, { ...some, partition: 'far' }];
    const partitions = ['batch', 'pair'].map((name) => ({ ...open, name }));
    const windowOf = (hostlist: string, processors: number | null, told: typeof nodes | null = nodes) => {
      const reservation = { name: 'r', startAt: 1, endAt: 2, processors, hostlist, isMaintenance: true };
      const [window] = asMaintenance([reservation], 16, partitions, told);
      return window;
    };
    expect(windowOf('n[2-3]', 8)).toEqual({
      ...{ startAt: 1, endAt: 2, processors: 8, reason: 'maintenance r', queues: { batch: 8, pair: 4 } },
    });
    expect(windowOf('n[1-4]', 16)).toMatchObject({ processors: null, queues: { batch: 16, pair: 8 } });
    expect(windowOf('n4', 1)).toMatchObject({ processors: 1, queues: { batch: 1, pair: 1 } });
    expect(windowOf('n1', 4)?.queues).toEqual({ batch: 4 });
    expect(windowOf('(null)', 0)).toMatchObject({ processors: 0, queues: {} });
    expect(windowOf('n1', 4, null)).not.toHaveProperty('queues');
    expect(asQueue({ ...open, maxProcessorsPerNode: 3 }, nodes, null)).toMatchObject({ processors: 12 });
  });
});
