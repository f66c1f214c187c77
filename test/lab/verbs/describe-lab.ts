import type { Lab } from '../lab.ts';

/** Tells everything one needs to use a lab by hand. */
export function describeLab(lab: Lab): string {
  const clusters = lab.clusters.map((cluster) => {
    const { name, processors, files, spec, restUrl, nodes } = cluster;
    return [
      `  ${name}: Slurm, ${nodes.length} nodes, ${processors} processors; as alice: ${exports(cluster.clientEnvironment('alice'))}`,
      ...(spec.rest ? [`    slurmrestd at ${restUrl}; a token: scontrol token username=alice`] : []),
      ...(spec.accounting ? [] : [`    no slurmdbd; finished jobs are in ${files.jobCompletions}`]),
    ].join('\n');
  });
  const cells = lab.cells.map(
    (cell) =>
      `  ${cell.name}: Grid Engine, ${cell.spec.slots} slots; as alice: ${exports(cell.clientEnvironment('alice'))}`,
  );
  const servers = lab.servers.map(
    (server) =>
      `  ${server.name}: OAR, ${server.processors} processors; as alice: ${exports(server.clientEnvironment('alice'))}`,
  );
  const login = lab.login ? [`  login node: ssh -F ${lab.login.configFile} login`] : [];
  const dead = deadDaemons(lab);
  const warning = dead.length > 0 ? [`  not running: ${dead.join(', ')}`] : [];
  return [lab.folder, ...clusters, ...cells, ...servers, ...login, ...warning].join('\n');
}

function exports(environment: Readonly<Record<string, string>>): string {
  return `export ${Object.entries(environment)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')}`;
}

/** The daemons of a lab that should run and do not. */
export function deadDaemons(lab: Lab): string[] {
  return lab.members.flatMap(({ daemons }) => daemons.names.filter((name) => !daemons.isAlive(name)));
}
