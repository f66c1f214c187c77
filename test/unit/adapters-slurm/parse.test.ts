import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { momentsOfLocalTime } from '../../../adapters/shared/local-time.ts';
import { CompletionTimes } from '../../../adapters/slurm/completion-times.ts';
import { parseAccounting } from '../../../adapters/slurm/parse-accounting.ts';
import { parseNodes, parsePartitions, parseProcessors } from '../../../adapters/slurm/parse-cluster.ts';
import { parseCompletions } from '../../../adapters/slurm/parse-completions.ts';
import { parseEnd, parseQueue, parseTimeLimit } from '../../../adapters/slurm/parse-listing.ts';
import { parseRestJobs, parseRestPartitions, taskNumbers } from '../../../adapters/slurm/parse-rest.ts';
import { parseRestNodes } from '../../../adapters/slurm/parse-rest-nodes.ts';
import { parseRestRuns } from '../../../adapters/slurm/parse-rest-runs.ts';
import { hasEnded, meaningOf, type SlurmJob } from '../../../adapters/slurm/slurm-job.ts';

/** All of one cluster, Slurm 22.05.8, around the same moments. */
const recorded = (name: string) => readFileSync(new URL(`../../fixtures/slurm/${name}`, import.meta.url), 'utf8');
const document = (name: string) => JSON.parse(recorded(name));
const MARK = '~mark~';
const SAMPLE_SECONDS = 30;

/** Reads local times of a zone; nothing has ended after the year 2100. */
function timesIn(zone: string): CompletionTimes {
  return new CompletionTimes((text) => momentsOfLocalTime(text, zone), 4_102_444_800);
}

const queue = parseQueue(recorded('squeue.txt'), MARK);
const own = parseQueue(recorded('squeue-me.txt'), MARK);
const accounting = parseAccounting(recorded('sacct.txt'), MARK, SAMPLE_SECONDS);
const completions = parseCompletions(recorded('jobcomp.txt'), timesIn('UTC'));
const restJobs = parseRestJobs(document('rest-jobs.json'));
const restRuns = parseRestRuns(document('rest-ended.json'), SAMPLE_SECONDS);

const named = (jobs: readonly SlurmJob[], name: string) => jobs.filter((job) => job.name === name);

describe('the queue', () => {
  test('has every job, tasks of arrays and parts of heterogeneous jobs one by one', () => {
    expect(queue.map(({ id }) => id)).toEqual([
      '5_2',
      '5_3',
      '5_4',
      '8',
      '13',
      '10',
      '1',
      '4',
      '5_1',
      '6+0',
      '6+1',
      '11',
      '12',
    ]);
  });

  test('is not misled by a name with a line feed and what looks like another job', () => {
    expect(queue.find(({ id }) => id === '4')).toEqual({
      id: '4',
      name: 'evil\n99999~gridcast.gc-fail-1|',
      user: 'bob',
      partition: 'batch',
      state: 'RUNNING',
      processors: 4,
      timeLimitSeconds: 86_400,
      priority: 4294901756,
      submitAt: 1795472632,
      startAt: 1795472633,
      endAt: 1795559033,
      hasNodes: true,
      exitCode: 0,
      signal: null,
      gpus: 0,
      memoryMebibytes: null,
      billing: 4,
      reason: null,
      account: null,
      workFolder: '/tmp',
    });
  });

  test('tells our own ended jobs with their exit codes', () => {
    expect(named(own, 'gridcast.gc-fail-1')).toMatchObject([{ state: 'FAILED', exitCode: 7, hasNodes: true }]);
    expect(named(own, 'gridcast.gc-signal-1')).toMatchObject([{ state: 'FAILED', exitCode: null, signal: 9 }]);
    expect(named(own, 'gridcast.gc-held-1')).toMatchObject([{ state: 'CANCELLED', hasNodes: false }]);
  });

  test('tells why a job waits, by commands as over slurmrestd', () => {
    const said = 'Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions';
    const reasons = queue.map(({ name, reason }) => [name, reason]);
    expect(Object.fromEntries(reasons)).toMatchObject({
      'gridcast.gc-held-1': 'JobHeldUser',
      'gridcast.gc-requeued-1': 'BeginTime',
      'gridcast.gc-lost-1': null,
      big: said,
    });
    expect(queue[0]).toMatchObject({ name: 'arr', reason: 'JobArrayTaskLimit' });
    const [job] = document('rest-jobs.json').jobs;
    const [described] = parseRestJobs({ jobs: [{ ...job, state_reason: 'ReqNodeNotAvail', state_description: said }] });
    expect(described?.reason).toBe(said);
    const [held] = parseRestJobs({ jobs: [{ ...job, state_reason: 'JobHeldAdmin', state_description: '' }] });
    expect(held?.reason).toBe('JobHeldAdmin');
    expect(parseRestJobs({ jobs: [{ ...job, state_reason: 'None' }] })[0]?.reason).toBeNull();
  });

  test('tells nothing of what a job is billed that waits, though squeue tells what it would be given', () => {
    expect(recorded('squeue.txt')).toContain(
      'JobHeldUser~mark~gridcast.gc-held-1~mark~(null)~mark~/tmp~mark~cpu=1,mem=',
    );
    expect(named(queue, 'gridcast.gc-held-1')).toMatchObject([{ billing: null }]);
  });

  test('tells what a job is billed as soon as it has nodes, before accounting has heard of its end', () => {
    const given = 'cpu=2,mem=3600M,node=1,billing=17,gres/gpu=2';
    const row = (nodes: string) =>
      ['7', 'eva', 'gpu', 'COMPLETED', '2', '10:00', '1', '5', '6', '9', nodes].concat([
        '0',
        'None',
        'train',
        '(null)',
        '/tmp',
        given,
        '\n',
      ]);
    const listed = ['gsa1', ''].map((nodes) => parseQueue(row(nodes).join(MARK), MARK)[0]);
    expect(listed).toMatchObject([{ gpus: 2, memoryMebibytes: 3600, billing: 17 }, { billing: null }]);
    const [job] = document('rest-jobs.json').jobs;
    const rest = { ...job, tres_alloc_str: given };
    expect(parseRestJobs({ jobs: [{ ...rest, nodes: 'gsa1' }] })).toMatchObject([
      { gpus: 2, memoryMebibytes: 3600, billing: 17 },
    ]);
    expect(parseRestJobs({ jobs: [{ ...rest, nodes: '' }] })).toMatchObject([{ billing: null }]);
  });

  test('reads the same over slurmrestd', () => {
    const ids = restJobs.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['5_1', '5_2', '5_3', '5_4', '6+0', '6+1', '4']));
    // Of a job that ended without nodes slurmrestd has forgotten the processors.
    for (const name of ['gridcast.gc-fail-1', 'gridcast.gc-signal-1', 'gridcast.gc-held-1']) {
      expect(named(restJobs, name)).toMatchObject(
        named(own, name).map(({ priority: _, processors: __, ...job }) => job),
      );
    }
    const evil = queue.find(({ id }) => id === '4');
    // squeue would look every job's group up by itself.
    expect(restJobs.find(({ id }) => id === '4')).toEqual({ ...evil, group: 'bob' });
  });

  test('lists of tasks', () => {
    expect(taskNumbers('3-4%1')).toEqual([3, 4]);
    expect(taskNumbers('1,7,10-20:5%4')).toEqual([1, 7, 10, 15, 20]);
    expect(taskNumbers('')).toEqual([]);
  });
});

describe('accounting', () => {
  test('tells every kind of end apart', () => {
    const states = Object.fromEntries(accounting.map(({ name, state }) => [name, state]));
    expect(states).toMatchObject({
      'gridcast.gc-fail-1': 'FAILED',
      'gridcast.gc-requeued-1': 'COMPLETED',
      'gridcast.gc-held-1': 'CANCELLED',
      'gridcast.gc-lost-1': 'NODE_FAIL',
      'gridcast.gc-timeout-1': 'TIMEOUT',
    });
    for (const { state } of accounting) expect(meaningOf(state)).toBe(state === 'REQUEUED' ? 'WAITING' : state);
  });

  test('shows a job that was put back once per run, under a new submission time', () => {
    expect(named(accounting, 'gridcast.gc-timeout-1')).toMatchObject([
      { id: '1', state: 'NODE_FAIL', submitAt: 1795472632, endAt: 1795472642 },
      { id: '1', state: 'TIMEOUT', submitAt: 1795472642, endAt: 1795472721 },
    ]);
  });

  test('a job that was cancelled while held never started', () => {
    expect(named(accounting, 'gridcast.gc-held-1')).toMatchObject([{ hasNodes: false, user: 'alice', processors: 1 }]);
  });

  test('an end of which slurmdbd has no beginning yet is left out', () => {
    const row = [
      '2',
      'root',
      '',
      'CANCELLED by 1001',
      '0',
      '0',
      '',
      '1',
      '1',
      '1',
      'None assigned',
      '0:0',
      'allocation',
    ];
    const told = [...row, '', '', '', '', '00:00:00', '', '', ''];
    expect(parseAccounting(`${told.map((field) => field + MARK).join('')}\n`, MARK, SAMPLE_SECONDS)).toEqual([]);
  });

  test.each([
    ['FAILED', '9:0', { exitCode: 9, otherExitCode: 137 }],
    ['FAILED', '0:0', { exitCode: 128 }],
    ['FAILED', '0:9', { exitCode: null, signal: 9 }],
    ['COMPLETED', '0:0', { exitCode: 0 }],
  ])('knows that it takes 128 from a status: %s %s', (state, end, meant) => {
    const row =
      recorded('sacct.txt')
        .split('\n')
        .find((line) => line.includes(`${MARK}FAILED${MARK}`)) ?? '';
    const told = row
      .replace(`${MARK}FAILED${MARK}`, `${MARK}${state}${MARK}`)
      .replace(/~mark~\d+:\d+~mark~/, `${MARK}${end}${MARK}`);
    const [job] = parseAccounting(`${told}\n`, MARK, SAMPLE_SECONDS);
    expect(job).toMatchObject(meant);
    expect(job?.otherExitCode).toBe('otherExitCode' in meant ? meant.otherExitCode : undefined);
  });

  test('reads the same over slurmrestd, but for exit codes, which that has wrong', () => {
    const comparable = ({ user: _, exitCode: __, otherExitCode: ___, ...job }: SlurmJob) => job;
    // Asked for ends until a moment to come slurmdb tells what is to end until then, too.
    for (const run of restRuns.filter(hasEnded)) {
      const same = accounting.find(({ id, submitAt }) => id === run.id && submitAt === run.submitAt);
      expect(comparable(run)).toEqual(same && comparable(same));
    }
    expect(restRuns.filter(hasEnded)).toHaveLength(accounting.filter(hasEnded).length);
    expect(restRuns.filter(hasEnded).length).toBeGreaterThan(8);
    expect(named(restRuns, 'gridcast.gc-fail-1')).toMatchObject([{ exitCode: null }]);
    expect(named(restRuns, 'gridcast.gc-requeued-1')).toMatchObject([{ exitCode: null }, { exitCode: 0 }]);
  });

  test('reads the same in the file of completed jobs', () => {
    // It says neither what is billed nor what beside processors a job had.
    const known = (name: string) =>
      named(accounting, name).map(({ billing: _, gpus: __, memoryMebibytes: ___, ...job }) => job);
    for (const name of ['gridcast.gc-lost-1', 'gridcast.gc-requeued-1', 'gridcast.gc-timeout-1']) {
      expect(named(completions, name)).toEqual(known(name));
    }
  });

  test('names and folders in that file may contain what looks like its fields', () => {
    const line =
      recorded('jobcomp.txt')
        .split('\n')
        .find((text) => text.includes('gc-lost-1')) ?? '';
    const name = 'x JobState=COMPLETED Partition=p TimeLimit=1 a=b';
    const [job] = parseCompletions(
      line.replace('gridcast.gc-lost-1', name).replace('=/tmp', '=/a b EndTime=1'),
      timesIn('UTC'),
    );
    expect(job).toMatchObject({ id: '11', name, state: 'NODE_FAIL', workFolder: '/a b EndTime=1', group: 'alice' });
  });
});

describe('a record of that file that was torn, with the next one on its line', () => {
  const [first = '', second = ''] = recorded('jobcomp.txt').split('\n');
  const torn = Array.from({ length: 30 }, (_, index) => first.slice(0, 1 + Math.floor((index * first.length) / 30)));
  const read = (text: string) => parseCompletions(text, timesIn('UTC'));

  test('costs itself alone', () => {
    for (const piece of torn) expect(read(`${piece}${second}\n`)).toEqual(read(second));
  });

  test('is nobody else: a name that looks like a record tells nothing of a job of another user', () => {
    const theirs = first.replaceAll('alice', 'mallory').replaceAll('1001', '1002');
    const forged = theirs.replace(/Name=\S+/, `Name=x${second.slice(0, second.indexOf(' JobState='))}`);
    expect(read(forged)).toEqual([]);
  });
});

describe('the cluster', () => {
  const partitions = [
    { name: 'batch', isDefault: true, isUp: true, processors: 16, nodes: 4, maxNodes: null, maxSeconds: 86_400 },
    { name: 'short', isDefault: false, isUp: true, processors: 16, nodes: 4, maxNodes: null, maxSeconds: 300 },
  ];

  test('partitions with their limits, whoever tells them', () => {
    expect(parsePartitions(recorded('partitions.txt'))).toMatchObject(partitions);
    expect(parseRestPartitions(document('rest-partitions.json'))).toMatchObject(partitions);
  });

  test('processors, each counted once', () => {
    expect(parseProcessors('5/11/4/20\n')).toEqual({ allocated: 5, idle: 11, other: 4 });
    expect(() => parseProcessors('')).toThrow('A/I/O/T');
    expect(parseRestNodes(document('rest-nodes.json')).processors).toEqual({ allocated: 10, idle: 6, other: 0 });
  });

  test('a draining node has none to offer', () => {
    const nodes = [{ name: 'a1', state: 'mixed', state_flags: ['DRAIN'], cpus: 4, alloc_cpus: 1 }];
    expect(parseRestNodes({ nodes }).processors).toEqual({ allocated: 1, idle: 0, other: 3 });
  });

  test('where slurmrestd does not tell allocated processors a busy node counts as full', () => {
    const { processors, nodes } = parseRestNodes(document('rest36-nodes.json'));
    expect(processors).toEqual({ allocated: 8, idle: 8, other: 0 });
    expect(nodes).toBeNull();
  });

  test('the nodes of every partition, those in service apart', () => {
    const text = [
      'batch|4|1|drained|16000|0|(null)|(null)|a1',
      'batch|64|3|mixed|512000|900|fast,ib|gpu:a100:4(S:0-1),nic:1|b[1-3]',
      'batch|4|2|down*|16000|0|(null)|(null)|a[2-3]',
      'long|4|1|idle~|16000|0|(null)|(null)|a1',
      'none|0|0|n/a|0|0|(null)|(null)|\n',
    ].join('\n');
    const bare = { memoryMebibytes: 16_000, tmpMebibytes: 0, features: [], gpus: [] };
    const rich = { memoryMebibytes: 512_000, tmpMebibytes: 900, features: ['fast', 'ib'] };
    const batch = { partition: 'batch', processorsPerNode: 4, equipment: bare };
    const large = { processorsPerNode: 64, equipment: { ...rich, gpus: [{ kind: 'a100', count: 4 }] } };
    expect(parseNodes(text)).toEqual([
      { ...batch, nodes: 1, hostlist: 'a1', isInService: false },
      { ...batch, nodes: 3, hostlist: 'b[1-3]', ...large, isInService: true },
      { ...batch, nodes: 2, hostlist: 'a[2-3]', isInService: false },
      { ...batch, partition: 'long', nodes: 1, hostlist: 'a1', isInService: true },
      {
        ...{ partition: 'none', nodes: 0, hostlist: '', processorsPerNode: 0, isInService: true },
        equipment: { ...bare, memoryMebibytes: 0 },
      },
    ]);
    expect(() => parseNodes('batch|4+|1|idle|a1')).toThrow('sinfo');
    const partitions = ['batch', 'long'];
    const nodes = [
      { name: 'a1', state: 'idle', state_flags: ['DRAIN'], cpus: 4, partitions, real_memory: 16_000, gres: '' },
      {
        ...{ name: 'b1', state: 'mixed', cpus: 64, alloc_cpus: 1, partitions: ['batch'], real_memory: 512_000 },
        ...{ temporary_disk: 900, active_features: 'fast,ib', gres: 'gpu:a100:4' },
      },
    ];
    expect(parseRestNodes({ nodes }).nodes).toEqual([
      { ...batch, nodes: 1, hostlist: 'a1', isInService: false },
      { ...batch, partition: 'long', nodes: 1, hostlist: 'a1', isInService: false },
      { ...batch, nodes: 1, hostlist: 'b1', ...large, isInService: true },
    ]);
  });
});

test.each([
  ['5:00', 300],
  ['59', null],
  ['1:30:00', 5400],
  ['2-00:00:00', 172_800],
  ['UNLIMITED', null],
  ['INVALID', null],
])('a time limit %s', (text, seconds) => {
  expect(parseTimeLimit(text)).toBe(seconds);
});

test.each([
  ['7:0', 7, null],
  ['0:9', null, 9],
  ['', null, null],
])('an exit code %j', (text, exitCode, signal) => {
  expect(parseEnd(text)).toEqual({ exitCode, signal });
});
