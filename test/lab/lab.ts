import { join } from 'node:path';
import type { Daemons } from './daemons.ts';
import { claimFolder, listLabFolders, releaseFolder, takeOver } from './folder.ts';
import { GridEngineCell } from './gridengine/cell.ts';
import { GROUPS_PER_CELL, type GridEngineSpec } from './gridengine/configuration.ts';
import { LoginNode } from './login-node.ts';
import type { OarSpec } from './oar/configuration.ts';
import { OarServer } from './oar/server.ts';
import { LAB_PARTS, type LabPart, partsMissing } from './packages.ts';
import { SlurmCluster } from './slurm/cluster.ts';
import { PORTS_PER_CLUSTER, type SlurmClusterSpec } from './slurm/configuration.ts';
import { ensureLabUsers } from './users.ts';

/** What a lab is made of; of what is not mentioned there is none. */
export interface LabSpec {
  /** Slurm, four clusters at most. */
  readonly clusters?: readonly SlurmClusterSpec[];
  /** Grid Engine, each cell in a network of its own. */
  readonly cells?: readonly GridEngineSpec[];
  /** OAR, likewise. */
  readonly servers?: readonly OarSpec[];
  /** An ssh server through which the clusters' commands can be run. */
  readonly login?: boolean;
  /** What jobs find on the nodes of a real site: a real MPI and environment modules. */
  readonly mpi?: boolean;
}

/**
 * One batch system or server of a lab. A new kind of batch system joins `LabSpec`, `Lab` and `partsOf` with one of
 * these.
 */
export interface LabMember {
  readonly name: string;
  readonly daemons: Daemons;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The lab that `npm run lab` starts: Slurm by commands with an accounting database, by slurmrestd, and by ssh through a
 * login node with a file of completed jobs; Grid Engine; OAR.
 */
export const WHOLE_LAB = {
  clusters: [
    { name: 'alpha', nodes: 4, processorsPerNode: 4, accounting: true, rest: false },
    { name: 'beta', nodes: 8, processorsPerNode: 4, accounting: false, rest: true },
    { name: 'epsilon', nodes: 4, processorsPerNode: 4, accounting: false, rest: false, throughLogin: true },
  ],
  cells: [{ name: 'gamma', slots: 16 }],
  servers: [{ name: 'delta', nodes: 4, processorsPerNode: 4 }],
  login: true,
  mpi: true,
} as const satisfies LabSpec;

const LOGIN_PORT = 90;
/** A lab's ports are its own, and so are the groups that are counted from them. */
const GROUPS_PER_PORT = 10;

/**
 * Real batch systems on this machine, in a folder of their own and on ports of their own, reachable over loopback only.
 */
export class Lab {
  readonly clusters: readonly SlurmCluster[];
  readonly cells: readonly GridEngineCell[];
  readonly servers: readonly OarServer[];
  readonly login: LoginNode | null;

  constructor(
    readonly folder: string,
    readonly basePort: number,
    spec: LabSpec,
  ) {
    this.clusters = (spec.clusters ?? []).map(
      (cluster, index) => new SlurmCluster(join(folder, cluster.name), cluster, basePort + index * PORTS_PER_CLUSTER),
    );
    this.cells = (spec.cells ?? []).map((cell, index) => {
      return new GridEngineCell(join(folder, cell.name), cell, basePort * GROUPS_PER_PORT + index * GROUPS_PER_CELL);
    });
    this.servers = (spec.servers ?? []).map((server) => new OarServer(join(folder, server.name), server));
    this.login = spec.login ? new LoginNode(join(folder, 'login'), basePort + LOGIN_PORT) : null;
  }

  /** @throws Error when the lab has no cluster of that name */
  cluster(name: string): SlurmCluster {
    const cluster = this.clusters.find((candidate) => candidate.name === name);
    if (!cluster) throw new Error(`the lab has no cluster ${name}`);
    return cluster;
  }

  /** @param tell hears of every member that is up */
  async start(tell: (line: string) => void = () => undefined): Promise<void> {
    ensureLabUsers();
    const startedAt = performance.now();
    const startOne = async (member: LabMember) => {
      await member.start();
      tell(`${member.name} is up after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    };
    tell(`starting ${this.members.map(({ name }) => name).join(', ')} ...`);
    await Promise.all(this.members.map(startOne));
  }

  /** Stops every daemon by its pid and removes the folder. */
  async stop(): Promise<void> {
    await Promise.all(this.members.map((member) => member.stop()));
    releaseFolder(this.folder);
  }

  get members(): readonly LabMember[] {
    return [...this.clusters, ...this.cells, ...this.servers, ...(this.login ? [this.login] : [])];
  }
}

/** What of the packages a lab needs. */
export function partsOf({ clusters = [], cells = [], servers = [], login = false, mpi = false }: LabSpec): LabPart[] {
  const needed: Readonly<Partial<Record<LabPart, boolean>>> = {
    slurm: clusters.length > 0,
    accounting: clusters.some(({ accounting }) => accounting),
    gridengine: cells.length > 0,
    oar: servers.length > 0,
    ssh: login,
    mpi,
  };
  return LAB_PARTS.filter((part) => needed[part]);
}

/** Why that lab cannot be started on this machine, in a line that says what is absent; null when it can. */
export function labMissing(spec: LabSpec): string | null {
  return partsMissing(partsOf(spec));
}

/**
 * Starts a lab in some seconds. It belongs to this process, which stops it; should it die before, the next run of the
 * tests does. `stays` makes one that belongs to nobody; `tell` hears what is being started.
 * @throws Error with a daemon's last words when one does not come up; nothing is left running then
 */
export async function startLab(
  spec: LabSpec,
  { stays = false, tell }: { stays?: boolean; tell?: (line: string) => void } = {},
): Promise<Lab> {
  const { folder, basePort } = await claimFolder(spec, stays);
  const lab = new Lab(folder, basePort, spec);
  try {
    await lab.start(tell);
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
