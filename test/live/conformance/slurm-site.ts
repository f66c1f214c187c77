import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SlurmConfig } from '../../../adapters/slurm/config.ts';
import { createSlurmAdapter } from '../../../adapters/slurm/slurm.ts';
import type { SiteUnderTest, Trouble } from '../../conformance/adapters/site-under-test.ts';
import { type Lab, type LabSpec, startLab } from '../../lab/lab.ts';
import type { SlurmCluster } from '../../lab/slurm/cluster.ts';
import { fillSlurmQueue } from '../../lab/slurm/fill-queue.ts';
import { realClient, slurmConfig } from '../slurm-ways.ts';
import { startLossyProxy } from './lossy-proxy.ts';
import { muteClient } from './mute-client.ts';
import { openFolder, realTime } from './real-site.ts';

/** What jobs use is looked at every second. */
const parameters = { JobAcctGatherType: 'jobacct_gather/linux', JobAcctGatherFrequency: 'task=1' };
const CLUSTER = { name: 'alpha', nodes: 4, processorsPerNode: 4, parameters } as const;
const SAMPLED = { usageSampleSeconds: 1 } as const;
const ALL_USE = ['cpuSeconds', 'memoryBytes', 'readBytes', 'writtenBytes'] as const;

/** Clusters for commands and REST keep their history in slurmdbd; the one behind ssh keeps it in a file. */
export const SLURM_LABS = {
  commands: { clusters: [{ ...CLUSTER, accounting: true, rest: false }] },
  ssh: { clusters: [{ ...CLUSTER, accounting: false, rest: false }], login: true },
  rest: { clusters: [{ ...CLUSTER, accounting: true, rest: true }] },
} as const satisfies Record<string, LabSpec>;

/** How a way to Slurm is taken, and broken. */
interface Way {
  readonly config: SlurmConfig;
  readonly lostReplies: Trouble;
  readonly authenticationLost: Trouble & { readonly words: RegExp };
  close?(): Promise<void>;
}

/** A cluster of its own, used by alice through commands on this machine. */
export function makeSlurmCommandSite(): Promise<SiteUnderTest> {
  return makeSite(SLURM_LABS.commands, async (lab, cluster, workFolder) => {
    const mute = muteClient(join(lab.folder, 'mute'), 'sbatch', realClient(lab, 'commands', 'sbatch'));
    return {
      config: { ...slurmConfig(lab, 'commands', workFolder, { clients: mute.folder }), ...SAMPLED },
      lostReplies: mute,
      authenticationLost: { begin: () => cluster.stopMunge(), end: () => cluster.startMunge(), words: /munge/i },
    };
  });
}

/** A cluster of its own, used by alice through ssh. */
export function makeSlurmSshSite(): Promise<SiteUnderTest> {
  return makeSite(SLURM_LABS.ssh, async (lab, cluster, workFolder) => {
    const mute = muteClient(join(lab.folder, 'mute'), 'sbatch', realClient(lab, 'ssh', 'sbatch'));
    return {
      config: {
        ...slurmConfig(lab, 'ssh', workFolder, { clients: mute.folder }),
        accounting: { kind: 'jobcomp', file: cluster.files.jobCompletions },
      },
      lostReplies: mute,
      authenticationLost: {
        begin() {
          lab.login?.unauthorize();
          lab.login?.endSessions();
        },
        end: () => lab.login?.authorize(),
        words: /authentication is lost/,
      },
    };
  });
}

/** A cluster of its own, used by alice through slurmrestd. */
export function makeSlurmRestSite(): Promise<SiteUnderTest> {
  return makeSite(SLURM_LABS.rest, async (lab, cluster, workFolder) => {
    const proxy = await startLossyProxy(cluster.restUrl);
    const config = { ...slurmConfig(lab, 'rest', workFolder, { restUrl: proxy.url }), ...SAMPLED };
    const { transport } = config;
    if (transport.kind !== 'rest') throw new Error('the way by REST is by REST');
    const token = readFileSync(transport.tokenFile, 'utf8');
    return {
      config,
      lostReplies: proxy,
      authenticationLost: {
        begin: () => writeFileSync(transport.tokenFile, 'expired'),
        end: () => writeFileSync(transport.tokenFile, token),
        words: /authentication|token/i,
      },
      close: () => proxy.close(),
    };
  });
}

async function makeSite(
  spec: LabSpec,
  take: (lab: Lab, cluster: SlurmCluster, workFolder: string) => Promise<Way>,
): Promise<SiteUnderTest> {
  const lab = await startLab(spec);
  const cluster = lab.cluster(CLUSTER.name);
  const shared = openFolder();
  const way = await take(lab, cluster, shared.path);
  let lost: string | null = null;
  return {
    ...realTime,
    // Shorter than in other tests: every call to a controller that hangs takes so long.
    adapter: createSlurmAdapter({ ...way.config, timeoutMilliseconds: 10_000 }),
    processors: cluster.processors,
    tooLongWalltimeSeconds: 25 * 3600,
    shortestWalltimeSeconds: 60,
    // Slurm looks at limits every half minute, and later when it has much to do.
    walltimeGraceSeconds: 180,
    startsWithinSeconds: 12,
    refusals: {
      tooManyProcessors: /More processors requested than permitted|node count|not available/i,
      tooLongWalltime: /Requested time limit is invalid/,
      unknownQueue: /Invalid partition name specified|invalid partition/i,
    },
    // The file of completed jobs has none of it.
    tellsUse: cluster.spec.accounting ? ALL_USE : [],
    lostReplies: way.lostReplies,
    authenticationLost: way.authenticationLost,
    sharedFolder: shared.path,
    hold: {
      hold: ({ nativeId }) => cluster.mustRun(['scontrol', 'hold', nativeId]),
      release: ({ nativeId }) => cluster.mustRun(['scontrol', 'release', nativeId]),
    },
    requeue: ({ nativeId }) => cluster.mustRun(['scontrol', 'requeue', nativeId]),
    nodeLoss: {
      async strike({ nativeId }) {
        lost = cluster.mustRun(['squeue', '--noheader', `--jobs=${nativeId}`, '--format=%B']).trim();
        await cluster.crashNode(lost);
        cluster.markNodeDown(lost);
      },
      async repair() {
        if (lost !== null) await cluster.startNode(lost);
      },
    },
    // Killed at once it would lose what it accepted in its last seconds.
    controllerDown: { begin: () => cluster.stopController(), end: () => cluster.startController() },
    controllerHung: { begin: () => cluster.hangController(), end: () => cluster.resumeController() },
    fillQueue: (jobs) => (cluster.spec.rest ? fillSlurmQueue(cluster, 'bob', jobs) : fillByArrays(cluster, jobs)),
    async close() {
      await way.close?.();
      await lab.stop();
      shared.remove();
    },
  };
}

const LARGEST_ARRAY = 1000;

/** Each task of an array waits in the queue as a job of its own. */
async function fillByArrays(cluster: SlurmCluster, jobs: number): Promise<void> {
  for (let left = jobs; left > 0; left -= LARGEST_ARRAY) {
    const array = `--array=1-${Math.min(LARGEST_ARRAY, left)}`;
    const { status, stderr } = cluster.run(['sbatch', array, '--begin=now+2days', '--wrap=true'], { user: 'bob' });
    if (status !== 0) throw new Error(`the queue could not be filled: ${stderr}`);
  }
}
