import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ARRAYS_LAB, runArrays } from './arrays/arrays-lab.ts';
import { describeArrays, isAsPromised } from './arrays/report.ts';
import { compareLab } from './compare/compare-lab.ts';
import { describeConsole, measureConsole } from './console/console-lab.ts';
import { type HourOptions, runHour } from './hour/hour.ts';
import { describeHour } from './hour/report.ts';
import { type Lab, type LabSpec, labMissing, openStayingLabs, partsOf, startLab, WHOLE_LAB } from './lab.ts';
import { fetchOutputs, OUTPUTS_LAB } from './outputs/outputs-lab.ts';
import { installPackages, LAB_PARTS } from './packages.ts';
import { RECORDED_LAB, recordSlurm } from './record/slurm-answers.ts';
import { describeFindings } from './resources/requests.ts';
import { findRequests } from './resources/systems.ts';
import { takeScreenshots } from './screenshots.ts';
import { writeLabSites } from './sites.ts';
import { isExact } from './staging/staging.ts';
import { stageFile } from './staging/staging-lab.ts';

/**
 * Minutes of load alone, minutes of the run, seconds between kills and between calls, seed; jobs that write; tasks of
 * an array over simulated sites and over Slurm; size of a file that is moved, and how often connections break
 * meanwhile.
 */
const NUMBERS = {
  ...{ warm: '10', minutes: '60', 'kill-every': '120', 'call-every': '9', seed: '1' },
  ...{ jobs: '1000', tasks: '10000', 'slurm-tasks': '300' },
  ...{ megabytes: '1000', breaks: '3' },
} as const;

const text = { type: 'string' } as const;
const {
  positionals: [verbName = 'start'],
  values: options,
} = parseArgs({
  allowPositionals: true,
  options: {
    ...{ url: text, token: text, json: text },
    ...{ warm: text, minutes: text, 'kill-every': text, 'call-every': text, seed: text, jobs: text },
    ...{ tasks: text, 'slurm-tasks': text, megabytes: text, breaks: text },
  },
});

const USAGE =
  'usage: npm run lab -- start | stop | status | check | install | compare | hour | outputs | stage | arrays | resources | record | console | screenshots';

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

/** @throws Error when something of what the lab needs is neither there nor to be had */
function makeReadyFor(spec: LabSpec): void {
  installPackages(partsOf(spec));
  const missing = labMissing(spec);
  if (missing) throw new Error(missing);
}

async function start(): Promise<void> {
  makeReadyFor(WHOLE_LAB);
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

/**
 * Holds a service whose sites bear the names of the lab's systems against their accounting; fails where they differ.
 */
async function compareWithAccounting(): Promise<void> {
  const { url, token } = options;
  const [lab] = openStayingLabs();
  if (!lab) throw new Error('no lab is running; `npm run lab` starts one');
  if (!url || !token) throw new Error('say what is compared: npm run lab -- compare --url URL --token TOKEN');
  const { words, isEqual } = await compareLab(lab, url, token);
  console.log(words);
  if (!isEqual) process.exitCode = 1;
}

/** Starts a lab of its own and lives through an hour with it. */
async function hour(): Promise<void> {
  makeReadyFor(WHOLE_LAB);
  const lab = await startLab(WHOLE_LAB);
  try {
    const report = await runHour(lab, hourOptions(), (what) => console.error(what));
    console.log(describeHour(report));
    if (options.json) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
    if (report.comparison.mismatches.length > 0) process.exitCode = 1;
  } finally {
    await lab.stop();
  }
}

/** Asks every system for all that a job can ask for, and prints what each of them makes of it. */
async function resources(): Promise<void> {
  const findings = await findRequests((what) => console.error(what));
  console.log(describeFindings(findings));
  if (findings.some(({ verdict }) => verdict === 'WRONG')) process.exitCode = 1;
}

/** Records what real Slurm says, in place of the fixtures of the unit tests. */
async function record(): Promise<void> {
  makeReadyFor(RECORDED_LAB);
  await recordSlurm((what) => console.error(what));
}

/** Measures the console over a service with 5,000 jobs and 1,000 sites. */
async function speeds(): Promise<void> {
  const report = await measureConsole((what) => console.error(what));
  console.log(describeConsole(report));
  if (options.json) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
}

/** Makes the pictures of docs/console.md from a running service. */
async function screenshots(): Promise<void> {
  const { url, token } = options;
  if (!url || !token) throw new Error('say of what: npm run lab -- screenshots --url URL --token TOKEN');
  await takeScreenshots(url, token, (file) => console.log(file));
}

function hourOptions(): HourOptions {
  return {
    warmMinutes: numberOf('warm'),
    minutes: numberOf('minutes'),
    killEverySeconds: numberOf('kill-every'),
    callEverySeconds: numberOf('call-every'),
    seed: numberOf('seed'),
  };
}

function numberOf(name: keyof typeof NUMBERS): number {
  const value = Number(options[name] ?? NUMBERS[name]);
  const isNone = value === 0 && name === 'slurm-tasks';
  if (!(value > 0) && !isNone) throw new Error(`--${name} must be a number above 0, not ${options[name]}`);
  return value;
}

/** Fetches what jobs have written over ssh while connections break; fails where a byte differs. */
async function outputs(): Promise<void> {
  makeReadyFor(OUTPUTS_LAB);
  const report = await fetchOutputs(numberOf('jobs'));
  if (options.json) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  if (report.wrong.length > 0) process.exitCode = 1;
}

/** Moves a file to a job over ssh and out again while connections break; fails where a byte differs. */
async function stage(): Promise<void> {
  makeReadyFor(OUTPUTS_LAB);
  const report = await stageFile(numberOf('megabytes') * 1_000_000, numberOf('breaks'));
  if (options.json) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  if (!isExact(report)) process.exitCode = 1;
}

/** Runs arrays over three sites while workers are killed; fails where a task is lost or doubled or a limit broken. */
async function arrays(): Promise<void> {
  makeReadyFor(ARRAYS_LAB);
  const [tasks, slurmTasks] = [numberOf('tasks'), numberOf('slurm-tasks')];
  const killEverySeconds = Number(options['kill-every'] ?? ARRAY_KILL_SECONDS);
  const reports = await runArrays({ tasks, slurmTasks, killEverySeconds }, (what) => console.error(what));
  console.log(describeArrays(reports));
  if (options.json) writeFileSync(options.json, `${JSON.stringify(reports, null, 2)}\n`);
  if (!reports.every(isAsPromised)) process.exitCode = 1;
}

/** Of arrays alone. */
const ARRAY_KILL_SECONDS = 120;

const VERBS: Readonly<Record<string, () => void | Promise<void>>> = {
  start,
  stop,
  status,
  check,
  install: () => installPackages(LAB_PARTS),
  compare: compareWithAccounting,
  hour,
  outputs,
  stage,
  arrays,
  resources,
  record,
  console: speeds,
  screenshots,
};

const verb = VERBS[verbName];
if (verb) await verb();
else {
  console.error(USAGE);
  process.exitCode = 64;
}
