import { join } from 'node:path';
import { claimFolder, listLabFolders, releaseFolder, takeOver } from './folder.ts';
import { LoginNode } from './login-node.ts';
import type { LabPart } from './packages.ts';
import { SlurmCluster } from './slurm/cluster.ts';
import { PORTS_PER_CLUSTER, type SlurmClusterSpec } from './slurm/configuration.ts';
import { ensureLabUsers } from './users.ts';

export { labMissing } from './packages.ts';

/** What a lab is made of. */
export interface LabSpec {
  /** Four at most. */
  readonly clusters: readonly SlurmClusterSpec[];
  /** An ssh server through which the clusters' commands can be run. */
  readonly login: boolean;
}

/** The lab that `npm run lab` starts: one cluster with an accounting database, one with a REST interface, a login node. */
export const WHOLE_LAB: LabSpec = {
  clusters: [
    { name: 'alpha', nodes: 4, processorsPerNode: 4, accounting: true, rest: false },
    { name: 'beta', nodes: 8, processorsPerNode: 4, accounting: false, rest: true },
  ],
  login: true,
};

const LOGIN_PORT = 90;

/** Real batch systems on this machine, in a folder of their own and on ports of their own, reachable over loopback only. */
export class Lab {
  readonly clusters: readonly SlurmCluster[];
  readonly login: LoginNode | null;

  constructor(
    readonly folder: string,
    basePort: number,
    spec: LabSpec,
  ) {
    this.clusters = spec.clusters.map(
      (cluster, index) => new SlurmCluster(join(folder, cluster.name), cluster, basePort + index * PORTS_PER_CLUSTER),
    );
    this.login = spec.login ? new LoginNode(join(folder, 'login'), basePort + LOGIN_PORT) : null;
  }

  /** @throws Error when the lab has no cluster of that name */
  cluster(name: string): SlurmCluster {
    const cluster = this.clusters.find((candidate) => candidate.name === name);
    if (!cluster) throw new Error(`the lab has no cluster ${name}`);
    return cluster;
  }

  async start(): Promise<void> {
    ensureLabUsers();
    await Promise.all(this.members.map((member) => member.start()));
  }

  /** Stops every daemon by its pid and removes the folder. */
  async stop(): Promise<void> {
    await Promise.all(this.members.map((member) => member.stop()));
    releaseFolder(this.folder);
  }

  get members(): readonly (SlurmCluster | LoginNode)[] {
    return [...this.clusters, ...(this.login ? [this.login] : [])];
  }
}

/** What of the packages a lab needs. */
export function partsOf(spec: LabSpec): LabPart[] {
  return [
    ...(spec.clusters.length > 0 ? (['slurm'] as const) : []),
    ...(spec.clusters.some(({ accounting }) => accounting) ? (['accounting'] as const) : []),
    ...(spec.login ? (['ssh'] as const) : []),
  ];
}

/**
 * Starts a lab in some seconds. It belongs to this process, which stops it; should it die before, the next run of the tests
 * does. `stays` makes one that belongs to nobody.
 * @throws Error with a daemon's last words when one does not come up; nothing is left running then
 */
export async function startLab(spec: LabSpec, { stays = false } = {}): Promise<Lab> {
  const { folder, basePort } = await claimFolder(spec, stays);
  const lab = new Lab(folder, basePort, spec);
  try {
    await lab.start();
  } catch (error) {
    await lab.stop();
    throw error;
  }
  return lab;
}

/** The labs of this machine that belong to nobody and stay until they are stopped. */
export function openStayingLabs(): Lab[] {
  const staying = listLabFolders().filter(({ owner }) => owner === null);
  return staying.map(({ folder, basePort, spec }) => new Lab(folder, basePort, spec));
}

/** Stops the labs whose owners died before they could. */
export async function stopAbandonedLabs(): Promise<void> {
  for (const { folder, basePort, spec, abandoned } of listLabFolders()) {
    if (abandoned && takeOver(folder)) await new Lab(folder, basePort, spec).stop();
  }
}
