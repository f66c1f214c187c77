import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSlurmAdapter } from '../../adapters/slurm/slurm.ts';
import type { SiteAdapter } from '../../src/domain/site-adapter.ts';
import { withHoldPreamble } from '../../src/plan/hold-preamble.ts';
import { type Lab, type LabSpec, labMissing, startLab } from '../lab/lab.ts';
import { openFolder, realTime } from './conformance/real-site.ts';
import { SLURM_LAB, type SlurmWay, slurmConfig } from './slurm-ways.ts';

const SPEC: LabSpec = { ...SLURM_LAB, mpi: true };
/** Six processors of nodes that have four: two nodes. */
const PROCESSORS = 6;
const missing = labMissing(SPEC);

/** Variables in which one job differs from another, and what a terminal or an interactive shell leaves. */
const OWN_TO_A_JOB = new Set([
  ...['SLURM_JOB_ID', 'SLURM_JOBID', 'SLURM_JOB_NAME', 'SLURM_TASK_PID', 'SLURM_JOB_NODELIST', 'SLURM_NODELIST'],
  ...['SLURMD_NODENAME', 'SLURM_TOPOLOGY_ADDR', 'SLURM_NODE_ALIASES', 'SHLVL', 'OLDPWD', 'TERM', '_'],
]);
/** What sbatch tells of the process that ran it, which is not there where slurmrestd takes the job. */
const OF_SBATCH = new Set(['SLURM_SUBMIT_HOST', 'SLURM_PRIO_PROCESS']);
/** slurmrestd does not tell that this cluster does not count memory, so there the job's share of it is asked for. */
const OF_SLURMRESTD = new Set([...OF_SBATCH, 'SLURM_MEM_PER_CPU']);

const MPI_PROGRAM = `from mpi4py import MPI
import os
world = MPI.COMM_WORLD
total = world.allreduce(world.rank)
nodes = world.gather(os.environ.get("SLURMD_NODENAME"))
if world.rank == 0: print(world.size, total, len(set(nodes)), flush=True)
`;

/** What a job finds that was handed in each of these ways. */
export function describeJobs(ways: readonly SlurmWay[]): void {
  describe.skipIf(missing !== null)(`what a job finds at Slurm ${missing ?? ''}`, () => {
    let lab: Lab;
    const folder = openFolder();
    beforeAll(async () => {
      lab = await startLab(SPEC);
      writeFileSync(join(folder.path, 'program.py'), MPI_PROGRAM);
    });
    afterAll(async () => {
      await lab?.stop();
      folder.remove();
    });

    describe.each(ways)('by %s', (way) => {
      let adapter: SiteAdapter;
      let jobs = 0;
      beforeAll(() => {
        adapter = createSlurmAdapter(slurmConfig(lab, way, folder.path));
      });
      afterAll(() => adapter?.close());

      /** Runs lines of bash as a job over two nodes and gives what they print. */
      async function print(lines: string, { words = [] as string[], held = false, shell = '/bin/bash' } = {}) {
        const output = join(folder.path, `${way}-${++jobs}`);
        const plain = `#!${shell}\n{\n${lines}\n} > '${output}' 2> '${output}.errors'\n`;
        const script = held ? withHoldPreamble(plain, realTime.now()) : plain;
        const job = { name: 'prints', script, arguments: words, processors: PROCESSORS, walltimeSeconds: 120 };
        const key = `${way}-${jobs}`;
        const { submittedAt } = await adapter.submit({ ...job, queue: null }, key);
        await realTime.until(
          'the job has ended',
          async () => (await adapter.find(key, submittedAt))?.state === 'ENDED',
          90,
        );
        return existsSync(output) ? readFileSync(output, 'utf8') : `no ${output}`;
      }

      test('its environment is that of plain sbatch from a login shell, and the processors that were chosen', async () => {
        const plain = environmentOf(await plainSbatch('env -0'));
        const ours = environmentOf(await print('env -0'));
        expect(ours.get('GRIDCAST_PROCESSORS')).toBe(String(PROCESSORS));
        ours.delete('GRIDCAST_PROCESSORS');
        const compared = (variables: Map<string, string>) =>
          [...variables]
            .filter(([name]) => !OWN_TO_A_JOB.has(name) && !(way === 'rest' && OF_SLURMRESTD.has(name)))
            .sort(([a], [b]) => (a < b ? -1 : 1));
        expect(plain.get('HOME')).toBe('/home/alice');
        expect(compared(ours)).toEqual(compared(plain));
      });

      test('one that gives itself another name stays the same job, and is cancelled', async () => {
        const script = '#!/bin/sh\nscontrol update jobid=$SLURM_JOB_ID name=phase1\nsleep 300\n';
        const job = { name: 'renames', script, arguments: [], processors: 1, walltimeSeconds: 600, queue: null };
        const key = `${way}-renames`;
        const ref = { ...(await adapter.submit(job, key)), key };
        const seen = async () => (await adapter.inspect([ref])).get(ref.nativeId);
        const isRenamed = async () =>
          (await adapter.snapshot()).running.some((run) => run.nativeId === ref.nativeId && run.key === null);
        await realTime.until('it has another name', isRenamed, 60);
        expect(await seen()).toMatchObject({ nativeId: ref.nativeId, state: 'RUNNING' });
        await adapter.cancel(ref);
        await realTime.until('it has ended', async () => (await seen())?.state === 'ENDED', 60);
        expect(await seen()).toMatchObject({ outcome: 'CANCELLED' });
        // Another job that gets its number is none of ours, whenever it was submitted.
        expect((await adapter.inspect([{ ...ref, submittedAt: ref.submittedAt - 3600 }])).size).toBe(0);
      });

      async function endOf(site: SiteAdapter, body: string) {
        const script = `#!/bin/sh\n${body}\n`;
        const job = { name: 'ends', script, arguments: [], processors: 1, walltimeSeconds: 60, queue: null };
        const key = `${way}-${++jobs}-ends`;
        const ref = { ...(await site.submit(job, key)), key };
        const seen = async () => (await site.inspect([ref])).get(ref.nativeId);
        await realTime.until('it has ended', async () => (await seen())?.state === 'ENDED', 60);
        return await seen();
      }

      test('an exit code is the one of the script, or tells the signal that ended it', async () => {
        expect(await endOf(adapter, 'exit 137')).toMatchObject({ outcome: 'FAILED', exitCode: 137 });
        expect(await endOf(adapter, 'kill -SEGV $$')).toMatchObject({ outcome: 'FAILED', exitCode: 139 });
      });

      test('one that has nowhere to write to says so', async () => {
        const config = slurmConfig(lab, way, folder.path);
        const site = createSlurmAdapter({ ...config, outputFile: join(folder.path, 'none', '%j') });
        const note = expect.stringContaining('output files could not be opened');
        expect(await endOf(site, 'true')).toMatchObject({ outcome: 'FAILED', exitCode: null, note });
        await site.close();
      });

      const HOSTS = "srun hostname | sort -u | wc -l; srun sh -c 'echo $SLURMD_NODENAME $HOME' | sort -u | wc -l";
      test.each([
        ['a script of bash', {}],
        ['one with arguments', { words: ['a b'] }],
        ['one that holds until its moment', { held: true }],
        ['one of the POSIX shell', { shell: '/bin/sh' }],
      ])('srun starts its tasks on both nodes: %s', async (_, kind) => {
        expect(await print(HOSTS, kind)).toBe('1\n2\n');
      });

      test('an MPI program runs over both nodes', async () => {
        // The nodes are one machine: shared memory would mistake them for one.
        const mpirun = 'OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_oob_tcp_if_include=lo mpirun';
        expect(await print(`${mpirun} python3 '${folder.path}/program.py'`)).toBe(`${PROCESSORS} 15 2\n`);
      });

      test.each([
        ['a script', {}],
        ['one with arguments', { words: ['a b'] }],
        ['one that holds until its moment', { held: true }],
        ['one that looks for its shell', { shell: '/usr/bin/env bash' }],
      ])('modules are there: %s', async (_, kind) => {
        expect(await print('module load null && module list --terse 2>&1', kind)).toContain('null');
      });
    });

    /** What a line prints as a job that alice hands in at her terminal. */
    async function plainSbatch(line: string): Promise<string> {
      const output = join(folder.path, 'plain');
      const script = join(folder.path, 'plain.sh');
      writeFileSync(script, `#!/bin/bash\n${line} > '${output}'\n`);
      const cluster = lab.cluster('alpha');
      const options = `--wait --quiet --ntasks=${PROCESSORS} --time=2 --comment=x --job-name=plain`;
      const command = `cd '${folder.path}' && SLURM_CONF='${cluster.files.configuration}' sbatch ${options} plain.sh`;
      expect(cluster.run(['su', '-', 'alice', '-c', command])).toMatchObject({ status: 0 });
      return readFileSync(output, 'utf8');
    }
  });
}

function environmentOf(listing: string): Map<string, string> {
  const pairs = listing.split('\0').filter(Boolean);
  return new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}
