import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JobSpec } from '../../src/domain/job.ts';
import type { Acceptance, NativeJob, SiteAdapter } from '../../src/domain/site-adapter.ts';
import { type Lab, labMissing, startLab } from '../lab/lab.ts';
import { checkRequests, type OpenedSystem, tellWithOutput } from '../lab/resources/requests.ts';
import { RESOURCE_LAB, SLURM_SYSTEMS } from '../lab/resources/slurm.ts';
import { openFolder, realTime } from './conformance/real-site.ts';
import { MPI_PROGRAM, MPIRUN, OPENMP_PROGRAM } from './parallel-programs.ts';
import { SLURM_WAYS, type SlurmWay } from './slurm-ways.ts';

const missing = labMissing(RESOURCE_LAB);
/** The share of a processor of the poorest node of `batch`: nine tenths of 8000 MiB by four. */
const SHARE_MEBIBYTES = 1800;
const MEMORY_HOG = `#!/usr/bin/python3
import time
held = bytearray(400 * 1024 * 1024)
time.sleep(60)
`;

/** What a real Slurm makes of everything that a job can ask for, in each of these ways. */
export function describeResources(ways: readonly SlurmWay[]): void {
  describe.skipIf(missing !== null)(`what a job asks for at Slurm ${missing ?? ''}`, () => {
    let lab: Lab;
    const folder = openFolder();
    beforeAll(async () => {
      lab = await startLab(RESOURCE_LAB);
      writeFileSync(join(folder.path, 'mpi.py'), MPI_PROGRAM);
      writeFileSync(join(folder.path, 'openmp.py'), OPENMP_PROGRAM);
    });
    afterAll(async () => {
      await lab?.stop();
      folder.remove();
    });
    describe.each(ways)('by %s', (way) => describeWay(way, () => ({ lab, folder: folder.path })));
  });
}

function describeWay(way: SlurmWay, place: () => { lab: Lab; folder: string }): void {
  const system = SLURM_SYSTEMS[SLURM_WAYS.indexOf(way)];
  if (!system) throw new Error(`there is no system for ${way}`);
  let opened: OpenedSystem;
  let adapter: SiteAdapter;
  let jobs = 0;
  beforeAll(() => {
    opened = system.open(place().lab, place().folder);
    adapter = opened.adapter;
  });
  afterAll(() => adapter?.close());

  function submit(change: Partial<JobSpec>): Promise<Acceptance> {
    const usual = { name: 'asks', script: '#!/bin/sh\ntrue\n', arguments: [], processors: 1, walltimeSeconds: 120 };
    return adapter.submit({ ...usual, queue: null, ...change }, `${way}-${++jobs}`);
  }

  async function whenIn(state: NativeJob['state'], job: Acceptance): Promise<NativeJob> {
    let native: NativeJob | undefined;
    const isIn = async () => {
      native = (await adapter.inspect([job])).get(job.nativeId);
      return native?.state === state;
    };
    await realTime.until(`job ${job.nativeId} is ${state}`, isIn, 90);
    if (!native) throw new Error('it was there');
    return native;
  }

  /** How a job ended and what Slurm says of it. */
  async function run(change: Partial<JobSpec>): Promise<{ outcome: string | null; words: string }> {
    const job = await submit(change);
    const { outcome } = await whenIn('ENDED', job);
    return { outcome, words: await tellWithOutput(opened, job) };
  }

  test('every request is honoured, by the site`s own word', async () => {
    const findings = await checkRequests(system, opened);
    expect(findings.filter(({ verdict }) => verdict !== 'honoured')).toEqual([]);
    expect(findings).toHaveLength(18);
  });

  test('without a word: one task on one node and its share of memory, where plain sbatch takes all of a node', async () => {
    const { words } = await run({ processors: 4 });
    expect(words).toMatch(/NumNodes=1 NumCPUs=4 NumTasks=1 CPUs\/Task=4/);
    expect(words).toContain(`mem=${4 * SHARE_MEBIBYTES}M`);
    const cluster = place().lab.cluster('alpha');
    const plain = cluster.run(['sbatch', '--parsable', '--output=/dev/null', '--wrap=true'], { user: 'alice' });
    const shown = cluster.mustRun(['scontrol', 'show', 'job', plain.stdout.trim()]);
    expect(shown).toMatch(/TRES=cpu=1,mem=(?:8|16)000M/);
    expect((await run({ queue: 'small' })).words).toContain('mem=500M');
  });

  test('an MPI program has two tasks on each of two nodes, an OpenMP one four threads on one', async () => {
    const mpi = { processors: 4, resources: { nodes: 2, tasks: 4, tasksPerNode: 2 } };
    const openmp = { processors: 4, environment: { OMP_NUM_THREADS: '4' } };
    const [ranks, threads] = await Promise.all([
      run({ ...mpi, script: `#!/bin/sh\n${MPIRUN} python3 '${place().folder}/mpi.py'\n` }),
      run({ ...openmp, script: `#!/bin/sh\nexec python3 '${place().folder}/openmp.py'\n` }),
    ]);
    expect(ranks.words).toContain('4 ranks, nodes with 2, 2');
    expect(threads.words).toContain('4 threads');
    expect(threads.words).toMatch(/NumNodes=1 NumCPUs=4/);
  });

  test('GPUs of the kind that was asked for are shown to the job, seen in the queue and billed', async () => {
    const tells = '#!/bin/sh\necho "devices $CUDA_VISIBLE_DEVICES on $SLURMD_NODENAME"\nsleep 3\n';
    const job = await submit({ script: tells, queue: 'gpu', resources: { gpus: 2, gpuKind: 'a100' } });
    await whenIn('RUNNING', job);
    const { running, waiting } = await adapter.snapshot();
    const seen = [...running, ...waiting].find(({ nativeId }) => nativeId === job.nativeId);
    expect(seen).toMatchObject({ gpus: 2 });
    await whenIn('ENDED', job);
    expect(await tellWithOutput(opened, job)).toContain('devices 0,1 on alpha1');
    // A processor, 3600 MiB and two GPUs: 1 + 0.9 + 16.
    expect(await whenIn('ENDED', job)).toMatchObject({ billedProcessors: 17 });
  });

  test('a job that takes more memory than it asked for ends as OUT_OF_MEMORY', async () => {
    const { outcome } = await run({ script: MEMORY_HOG, resources: { memoryPerNodeMebibytes: 100 } });
    expect(outcome).toBe('OUT_OF_MEMORY');
  });

  test('a job whose place is taken by one of a higher QOS ends as PREEMPTED', async () => {
    const resources = { exclusive: true, constraints: ['fast'], nodes: 2 };
    const asks = { processors: 2, resources, script: '#!/bin/sh\nsleep 60\n' };
    const weak = await submit({ ...asks, terms: { account: 'physics', qos: 'scavenger' } });
    await whenIn('RUNNING', weak);
    const { outcome } = await run({ ...asks, script: '#!/bin/sh\ntrue\n', terms: { qos: 'urgent' } });
    expect(outcome).toBe('COMPLETED');
    expect(await whenIn('ENDED', weak)).toMatchObject({ outcome: 'PREEMPTED' });
  });

  test('a node that is drained is not in service until it is resumed', async () => {
    const cluster = place().lab.cluster('alpha');
    const inService = async () => {
      const { nodeShapes = [] } = await adapter.facts();
      return nodeShapes.find(({ gpus }) => gpus.some(({ kind }) => kind === 'a100'))?.inService;
    };
    cluster.mustRun(['scontrol', 'update', 'nodename=alpha1', 'state=drain', 'reason=test']);
    try {
      expect(await inService()).toBe(0);
    } finally {
      cluster.mustRun(['scontrol', 'update', 'nodename=alpha1', 'state=resume']);
    }
    // Slurm takes a node that was resumed for one that does not respond until it has asked it.
    await realTime.until('it is back', async () => (await inService()) === 1, 90);
  });

  test('what the cluster has and how it bills is discovered', async () => {
    const { nodeShapes = [], licences = [], queues } = await adapter.facts();
    const fast = { processors: 4, memoryMebibytes: 16_000, features: ['fast', 'ib'], tmpMebibytes: 50_000 };
    const gpus = (kind: string, count: number) => ({ ...fast, count: 1, inService: 1, gpus: [{ kind, count }] });
    expect(nodeShapes).toHaveLength(3);
    expect(nodeShapes).toContainEqual({ ...gpus('a100', 2), queues: expect.arrayContaining(['batch', 'gpu']) });
    expect(nodeShapes).toContainEqual({ ...gpus('v100', 1), queues: expect.arrayContaining(['batch', 'gpu']) });
    const slow = { processors: 4, memoryMebibytes: 8000, features: ['slow'], gpus: [], tmpMebibytes: 0 };
    const both = { count: 2, inService: 2 };
    expect(nodeShapes).toContainEqual({ ...slow, ...both, queues: expect.arrayContaining(['batch', 'small']) });
    expect([...licences].sort((a, b) => b.count - a.count)).toEqual([
      { name: 'matlab', count: 4 },
      { name: 'ansys', count: 2 },
    ]);
    const allocations = Object.fromEntries(queues.map(({ name, allocation }) => [name, allocation]));
    expect(allocations).toMatchObject({
      batch: { defaultMemoryPerProcessorMebibytes: SHARE_MEBIBYTES },
      gpu: { billing: { perProcessor: 1, perGibibyte: 0.25, perGpu: 8 } },
      small: { defaultMemoryPerProcessorMebibytes: 500, maxMemoryPerProcessorMebibytes: 2000 },
    });
  });
}
