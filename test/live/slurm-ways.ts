import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SlurmConfig } from '../../adapters/slurm/config.ts';
import type { Lab, LabSpec } from '../lab/lab.ts';

/** One cluster that can be reached in every way. */
export const SLURM_LAB = {
  clusters: [{ name: 'alpha', nodes: 4, processorsPerNode: 4, accounting: true, rest: true }],
  login: true,
} as const satisfies LabSpec;

export const SLURM_WAYS = ['commands', 'ssh', 'rest'] as const;
export type SlurmWay = (typeof SLURM_WAYS)[number];

/** What may stand between the adapter and the cluster. */
export interface Between {
  /** A folder of stand-ins for client commands, before all others in the PATH. */
  readonly clients?: string;
  /** In place of slurmrestd's own address. */
  readonly restUrl?: string;
}

/** How alice reaches the cluster of a lab. */
export function slurmConfig(lab: Lab, way: SlurmWay, workFolder: string, between: Between = {}): SlurmConfig {
  const cluster = lab.cluster('alpha');
  const common = { accountingLagSeconds: 10, timeoutMilliseconds: 30_000, coolDownMilliseconds: 500, workFolder };
  const before = between.clients === undefined ? '' : `${between.clients}:`;
  if (way === 'commands') {
    const environment = cluster.clientEnvironment('alice');
    return {
      ...common,
      transport: { kind: 'local' },
      environment: { ...environment, PATH: `${before}${environment.PATH}` },
    };
  }
  if (way === 'ssh') {
    const { login } = lab;
    if (!login) throw new Error('the lab has no login node');
    const { host, port, identityFile, knownHostsFile } = login;
    return {
      ...common,
      transport: { kind: 'ssh', host, port, user: 'alice', identityFile, knownHostsFile, configFile: 'none' },
      environment: { ...cluster.environment, PATH: `${before}/usr/bin:/bin` },
    };
  }
  const tokenFile = join(lab.folder, 'token');
  writeFileSync(tokenFile, cluster.token('alice'), { mode: 0o600 });
  return {
    ...common,
    transport: { kind: 'rest', url: between.restUrl ?? cluster.restUrl, user: 'alice', tokenFile },
    files: { kind: 'local', sudoUser: 'alice' },
  };
}

/** The real client that a stand-in runs: alice's, whoever calls it. */
export function realClient(lab: Lab, way: SlurmWay, name: string): string {
  return way === 'commands' ? join(lab.cluster('alpha').files.clients, 'alice', name) : `/usr/bin/${name}`;
}

/** Writes a stand-in for a client command. */
export function writeClient(folder: string, name: string, script: string): void {
  writeFileSync(join(folder, name), script, { mode: 0o755 });
  chmodSync(folder, 0o755);
}
