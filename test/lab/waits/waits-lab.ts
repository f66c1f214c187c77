import { setTimeout as sleep } from 'node:timers/promises';
import { createSlurmAdapter } from '../../../adapters/slurm/slurm.ts';
import type { JobRecord } from '../../../src/domain/job.ts';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';
import { partsOf } from '../../../src/domain/site-part.ts';
import type { ResourceSite } from '../../../src/experiment/resources/resource-site.ts';
import { type LabSpec, startLab } from '../lab.ts';
import type { SlurmCluster } from '../slurm/cluster.ts';
import { type HandedInJob, LOADED_PARTITIONS, loadOf, type WaitsOptions } from './load.ts';

/** A cluster whose partitions have nodes of their own: processors alone, and GPUs of two kinds. */
export const WAITS_LAB = {
  clusters: [
    {
      ...{ name: 'alpha', nodes: 8, processorsPerNode: 8, accounting: true, rest: false },
      parameters: { GresTypes: 'gpu', AccountingStorageTRES: 'gres/gpu,gres/gpu:a100,gres/gpu:v100' },
      nodeWords: {
        5: { Gres: 'gpu:a100:4' },
        6: { Gres: 'gpu:a100:4' },
        7: { Gres: 'gpu:v100:4' },
        8: { Gres: 'gpu:v100:4' },
      },
      gres: [
        { nodes: [5, 6], name: 'gpu', kind: 'a100', count: 4 },
        { nodes: [7, 8], name: 'gpu', kind: 'v100', count: 4 },
      ],
      partitions: {
        batch: 'Nodes=alpha[1-4] Default=YES MaxTime=2:00:00 DefaultTime=00:10:00',
        short: 'Nodes=alpha[1-4] MaxTime=00:05:00 DefaultTime=00:01:00',
        a100: 'Nodes=alpha[5-6] MaxTime=2:00:00',
        v100: 'Nodes=alpha[7-8] MaxTime=2:00:00',
      },
    },
  ],
} as const satisfies LabSpec;

/**
 * Has a real Slurm cluster with GPUs live through some minutes of other people's jobs, and gives what its accounting
 * says of them, at the pace that they stand for. Jobs that had not started by then are left out.
 */
export async function liveThrough(options: WaitsOptions, tell: (what: string) => void): Promise<ResourceSite> {
  const lab = await startLab(WAITS_LAB, { tell });
  try {
    const cluster = lab.cluster('alpha');
    const adapter = createSlurmAdapter({
      transport: { kind: 'local' },
      environment: cluster.clientEnvironment('alice'),
      workFolder: '/tmp',
      historyDays: 1,
    });
    try {
      const fromAt = Math.floor(Date.now() / 1000);
      await handIn(cluster, loadOf(options), options.minutes, tell);
      for (const user of ['bob', 'carol'] as const) cluster.run(['scancel', `--user=${user}`]);
      await sleep(ACCOUNTING_MILLISECONDS);
      const { processors, nodeShapes = [] } = await adapter.facts();
      const records = await readRecords(adapter, fromAt);
      tell(`${records.length} jobs are in accounting`);
      return {
        processors,
        parts: partsOf(nodeShapes),
        queues: LOADED_PARTITIONS.map(({ queue }) => queue),
        records: atPace(records, fromAt, options.scale),
      };
    } finally {
      await adapter.close();
    }
  } finally {
    await lab.stop();
  }
}

/** Hands jobs in when they are due; ends when the minutes are over. */
async function handIn(
  cluster: SlurmCluster,
  jobs: Iterable<HandedInJob>,
  minutes: number,
  tell: (what: string) => void,
): Promise<void> {
  const beganAt = performance.now();
  const until = async (seconds: number) => {
    await sleep(Math.max(0, beganAt + Math.min(seconds, minutes * 60) * 1000 - performance.now()));
  };
  let count = 0;
  for (const job of jobs) {
    if (job.atSeconds >= minutes * 60) break;
    await until(job.atSeconds);
    const { status, stderr } = cluster.run(['sbatch', ...wordsOf(job), `--wrap=sleep ${job.runSeconds}`], {
      user: job.person % 2 === 0 ? 'bob' : 'carol',
    });
    if (status !== 0) throw new Error(`a job was refused: ${stderr}`);
    if (++count % 50 === 0) tell(`${count} jobs are handed in after ${Math.round(job.atSeconds)} s`);
  }
  await until(minutes * 60);
}

function wordsOf({ queue, amount, gpuKind, walltimeMinutes, person }: HandedInJob): string[] {
  const asks = gpuKind === null ? [] : [`--gpus=${gpuKind}:${amount}`];
  const where = [`--partition=${queue}`, `--time=${walltimeMinutes}`, `--job-name=${queue}-${person}`];
  return [...where, `--ntasks=${amount}`, ...asks, '--output=/dev/null'];
}

/** All that accounting says, in the order of submission; pages overlap, so the last is the one that brings nothing. */
async function readRecords(adapter: SiteAdapter, fromAt: number): Promise<JobRecord[]> {
  const records = new Map<string, JobRecord>();
  for (let since = fromAt - 1, known = -1; known < records.size; ) {
    known = records.size;
    const page = await adapter.history(since);
    for (const record of page.records) records.set(record.nativeId, record);
    since = page.nextSince;
  }
  return [...records.values()].sort((a, b) => a.submitAt - b.submitAt);
}

function atPace(records: readonly JobRecord[], fromAt: number, scale: number): JobRecord[] {
  const moment = (at: number) => EPOCH_SECONDS + (at - fromAt) * scale;
  return records.flatMap((job) => {
    if (job.startAt === null) return [];
    const { requestedWalltimeSeconds: asked } = job;
    const times = { submitAt: moment(job.submitAt), startAt: moment(job.startAt) };
    const endAt = job.endAt === null ? null : moment(job.endAt);
    return { ...job, ...times, endAt, requestedWalltimeSeconds: asked === null ? null : asked * scale };
  });
}

/** A Monday. */
const EPOCH_SECONDS = 1_767_571_200;
/** slurmdbd hears of ends with a delay. */
const ACCOUNTING_MILLISECONDS = 15_000;
