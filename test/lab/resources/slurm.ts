import { setTimeout as sleep } from 'node:timers/promises';
import type { SlurmConfig } from '../../../adapters/slurm/config.ts';
import { createSlurmAdapter } from '../../../adapters/slurm/slurm.ts';
import { SLURM_WAYS, slurmConfig } from '../../live/slurm-ways.ts';
import type { LabSpec } from '../lab.ts';
import type { SlurmCluster } from '../slurm/cluster.ts';
import type { OpenedSystem, RequestSystem } from './requests.ts';

/**
 * A cluster with memory that is counted and enforced, GPUs of two kinds, features, licences, accounts, QOS, a
 * reservation and preemption, to be reached in every way. It states no default memory but in one partition: a job that
 * asks for none elsewhere gets all of its nodes.
 */
export const RESOURCE_LAB = {
  clusters: [
    {
      ...{ name: 'alpha', nodes: 4, processorsPerNode: 4, accounting: true, rest: true },
      parameters: {
        SelectTypeParameters: 'CR_CPU_Memory',
        JobAcctGatherType: 'jobacct_gather/linux',
        JobAcctGatherFrequency: 'task=1',
        JobAcctGatherParams: 'OverMemoryKill',
        GresTypes: 'gpu',
        AccountingStorageTRES: 'gres/gpu,gres/gpu:a100,gres/gpu:v100',
        AccountingStorageEnforce: 'associations,limits,qos',
        Licenses: 'matlab:4,ansys:2',
        PreemptType: 'preempt/qos',
        PreemptMode: 'CANCEL',
        MailProg: '/bin/true',
      },
      nodeWords: {
        1: { Features: 'fast,ib', TmpDisk: 50_000, Gres: 'gpu:a100:2' },
        2: { Features: 'fast,ib', TmpDisk: 50_000, Gres: 'gpu:v100:1' },
        3: { Features: 'slow', RealMemory: 8000 },
        4: { Features: 'slow', RealMemory: 8000 },
      },
      gres: [
        { nodes: [1], name: 'gpu', kind: 'a100', count: 2 },
        { nodes: [2], name: 'gpu', kind: 'v100', count: 1 },
      ],
      partitions: {
        gpu: 'Nodes=alpha[1-2] MaxTime=1:00:00 TRESBillingWeights=CPU=1.0,Mem=0.25G,GRES/gpu=8.0',
        small: 'Nodes=alpha[3-4] MaxTime=1:00:00 DefMemPerCPU=500 MaxMemPerCPU=2000',
      },
      accounts: [
        ['add', 'account', 'physics', 'chemistry'],
        ['add', 'qos', 'urgent', 'scavenger'],
        ['modify', 'qos', 'urgent', 'set', 'preempt=scavenger', 'priority=100'],
        ['add', 'user', 'alice', 'account=physics', 'qos=normal,urgent,scavenger', 'defaultqos=normal'],
        ['add', 'user', 'alice', 'account=chemistry', 'qos=normal,urgent', 'defaultqos=normal'],
        ['add', 'user', 'bob', 'account=chemistry', 'qos=normal,urgent', 'defaultqos=normal'],
      ],
    },
  ],
  login: true,
  mpi: true,
} as const satisfies LabSpec;

const RESERVATION = 'course';

const PROBES: RequestSystem['probes'] = {
  nodes: { asks: { processors: 4, resources: { nodes: 2 } }, confirmedBy: /NumNodes=2 NumCPUs=4/ },
  tasks: { asks: { processors: 4, resources: { tasks: 2 } }, confirmedBy: /NumCPUs=4 NumTasks=2 CPUs\/Task=2/ },
  tasksPerNode: {
    asks: { processors: 4, resources: { nodes: 2, tasksPerNode: 2 } },
    confirmedBy: /NtasksPerN:B:S:C=2:/,
  },
  processorsPerTask: { asks: { processors: 4, resources: { processorsPerTask: 4 } }, confirmedBy: /CPUs\/Task=4/ },
  memoryPerNodeMebibytes: {
    asks: { resources: { memoryPerNodeMebibytes: 300 } },
    confirmedBy: /AllocTRES=\S*\bmem=300M/,
  },
  memoryPerProcessorMebibytes: {
    asks: { processors: 2, resources: { memoryPerProcessorMebibytes: 300 } },
    confirmedBy: /AllocTRES=\S*\bmem=600M/,
  },
  gpus: { asks: { processors: 2, resources: { gpus: 2 } }, confirmedBy: /AllocTRES=\S*gres\/gpu=2/ },
  gpuKind: { asks: { resources: { gpus: 1, gpuKind: 'v100' } }, confirmedBy: /AllocTRES=\S*gres\/gpu:v100=1/ },
  constraints: { asks: { resources: { constraints: ['fast', 'ib'] } }, confirmedBy: /Features=fast&ib/ },
  exclusive: { asks: { resources: { exclusive: true } }, confirmedBy: /AllocTRES=\S*\bcpu=4/ },
  licences: { asks: { resources: { licences: [{ name: 'matlab', count: 2 }] } }, confirmedBy: /Licenses=matlab:2/ },
  tmpPerNodeMebibytes: { asks: { resources: { tmpPerNodeMebibytes: 4000 } }, confirmedBy: /MinTmpDiskNode=4000M/ },
  account: { asks: { terms: { account: 'chemistry' } }, confirmedBy: /Account=chemistry/ },
  qos: { asks: { terms: { qos: 'urgent' } }, confirmedBy: /QOS=urgent/ },
  siteReservation: { asks: { terms: { siteReservation: RESERVATION } }, confirmedBy: /Reservation=course/ },
  environment: { asks: { environment: { ASKED: 'a, b=$c' } }, confirmedBy: /variable a, b=\$c/ },
  workFolder: { asks: { workFolder: '/var/tmp' }, confirmedBy: /folder \/var\/tmp/ },
  mail: {
    asks: { mail: { address: 'alice@localhost', events: ['END', 'FAIL'] } },
    confirmedBy: /MailUser=alice@localhost MailType=END,FAIL/,
  },
};

/** Slurm by each of its ways. */
export const SLURM_SYSTEMS: readonly RequestSystem[] = SLURM_WAYS.map((way) => ({
  name: `Slurm by ${way}`,
  lab: RESOURCE_LAB,
  probes: PROBES,
  open: (lab, folder) => openSlurm(slurmConfig(lab, way, folder), lab.cluster('alpha')),
}));

function openSlurm(config: SlurmConfig, cluster: SlurmCluster): OpenedSystem {
  const set = ['users=alice', 'starttime=now', 'duration=60', 'nodes=alpha4'];
  cluster.run(['scontrol', 'create', 'reservation', `reservationname=${RESERVATION}`, ...set]);
  return {
    // Eighteen outputs are read at once, which takes a busy machine longer than a live test waits.
    adapter: createSlurmAdapter({ ...config, timeoutMilliseconds: 60_000 }),
    tell: async (nativeId) => {
      const shown = cluster.mustRun(['scontrol', 'show', 'job', nativeId]);
      const format = ['AllocTRES', 'Account', 'QOS', 'Reservation'] as const;
      const accounted = await accountingOf(cluster, nativeId, format);
      const lines = format.map((name, at) => `${name}=${accounted[at] ?? ''}`);
      return [...lines, shown].join('\n');
    },
  };
}

/** Fields of a job in sacct's words, once it has them all. */
async function accountingOf(cluster: SlurmCluster, nativeId: string, fields: readonly string[]): Promise<string[]> {
  const giveUpAt = performance.now() + 30_000;
  for (;;) {
    const listed = cluster.mustRun(['sacct', '-nXP', `--jobs=${nativeId}`, `--format=${fields.join(',')}`]);
    const words = listed.trim().split('|');
    if (words[0] || performance.now() > giveUpAt) return words;
    await sleep(300);
  }
}
