import { parseArgs } from 'node:util';
import { type Lab, labMissing, openStayingLabs, partsOf, startLab, WHOLE_LAB } from './lab.ts';
import { installPackages, LAB_PARTS } from './packages.ts';
import { writeLabSites } from './sites.ts';

const USAGE = 'usage: npm run lab -- start | stop | status | check | install';

/** Tells everything one needs to use a lab by hand. */
function describe(lab: Lab): string {
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

async function start(): Promise<void> {
  installPackages(partsOf(WHOLE_LAB));
  const missing = labMissing(WHOLE_LAB);
  if (missing) throw new Error(missing);
  const startedAt = performance.now();
  const lab = await startLab(WHOLE_LAB, { stays: true, tell: console.log });
  const registrations = writeLabSites(lab).map(
    ({ site, file }) => `  npx gridcast sites register ${site.name} --adapter ${site.adapter} --configuration @${file}`,
  );
  console.log([describe(lab), 'to make them known:', ...registrations].join('\n'));
  console.log(`up in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}

async function stop(): Promise<void> {
  const labs = openStayingLabs();
  for (const lab of labs) {
    await lab.stop();
    console.log(`${lab.folder} is stopped`);
  }
  if (labs.length === 0) console.log('no lab is running');
}

function status(): void {
  console.log(openStayingLabs().map(describe).join('\n') || 'no lab is running');
}

/** For health checks: fails unless a lab runs and all of it does. */
function check(): void {
  const labs = openStayingLabs();
  if (labs.length === 0 || labs.some((lab) => deadDaemons(lab).length > 0)) process.exitCode = 1;
  status();
}

function deadDaemons(lab: Lab): string[] {
  return lab.members.flatMap(({ daemons }) => daemons.names.filter((name) => !daemons.isAlive(name)));
}

const VERBS: Readonly<Record<string, () => void | Promise<void>>> = {
  start,
  stop,
  status,
  check,
  install: () => installPackages(LAB_PARTS),
};

const verb = VERBS[parseArgs({ allowPositionals: true }).positionals[0] ?? 'start'];
if (verb) await verb();
else {
  console.error(USAGE);
  process.exitCode = 64;
}
