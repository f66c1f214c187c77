import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lab } from './lab.ts';
import type { SlurmCluster } from './slurm/cluster.ts';

/** A batch system of a lab as `registerSite` takes it. */
export interface LabSite {
  readonly name: string;
  readonly adapter: 'slurm' | 'gridengine' | 'oar';
  readonly configuration: Readonly<Record<string, unknown>>;
}

const TOKEN_SECONDS = 30 * 86_400;

/**
 * Every batch system of a lab, as alice uses it: Slurm by slurmrestd where a cluster has one, by ssh where it is spoken
 * to through the login node, and by commands otherwise. Jobs run in a folder that all of them share.
 */
export function labSites(lab: Lab): LabSite[] {
  const workFolder = join(lab.folder, 'work');
  mkdirSync(workFolder, { recursive: true });
  chmodSync(workFolder, 0o1777);
  const clusters = lab.clusters.map((cluster) => ({
    name: cluster.name,
    adapter: 'slurm' as const,
    configuration: { ...slurmWay(lab, cluster), accounting: accountingOf(cluster), workFolder },
  }));
  const cells = lab.cells.map((cell) => ({
    name: cell.name,
    adapter: 'gridengine' as const,
    configuration: { environment: cell.clientEnvironment('alice'), workFolder },
  }));
  const servers = lab.servers.map((server) => ({
    name: server.name,
    adapter: 'oar' as const,
    configuration: { environment: server.clientEnvironment('alice'), workFolder: server.workFolder },
  }));
  return [...clusters, ...cells, ...servers];
}

/** Writes each site's configuration beside the others; returns the files in the sites' order. */
export function writeLabSites(lab: Lab): { readonly site: LabSite; readonly file: string }[] {
  const folder = join(lab.folder, 'sites');
  mkdirSync(folder, { recursive: true });
  return labSites(lab).map((site) => {
    const file = join(folder, `${site.name}.json`);
    writeFileSync(file, `${JSON.stringify(site.configuration, null, 2)}\n`);
    return { site, file };
  });
}

function slurmWay(lab: Lab, cluster: SlurmCluster): Readonly<Record<string, unknown>> {
  if (cluster.spec.rest) return restWay(cluster);
  if (cluster.spec.throughLogin) return sshWay(lab, cluster);
  return { transport: { kind: 'local' }, environment: cluster.clientEnvironment('alice') };
}

function restWay(cluster: SlurmCluster): Readonly<Record<string, unknown>> {
  const tokenFile = join(cluster.folder, 'alice.token');
  writeFileSync(tokenFile, cluster.token('alice', TOKEN_SECONDS), { mode: 0o600 });
  return {
    transport: { kind: 'rest', url: cluster.restUrl, user: 'alice', tokenFile },
    files: { kind: 'local', sudoUser: 'alice' },
  };
}

function sshWay({ login }: Lab, cluster: SlurmCluster): Readonly<Record<string, unknown>> {
  if (!login) throw new Error(`${cluster.name} is reached through a login node, and the lab has none`);
  const { host, port, identityFile, knownHostsFile } = login;
  return {
    transport: { kind: 'ssh', host, port, user: 'alice', identityFile, knownHostsFile, configFile: 'none' },
    environment: cluster.environment,
  };
}

function accountingOf({ spec, files }: SlurmCluster): Readonly<Record<string, unknown>> {
  if (spec.accounting) return { kind: 'slurmdbd' };
  return spec.rest ? { kind: 'none' } : { kind: 'jobcomp', file: files.jobCompletions };
}
