import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium } from 'playwright-core';
import { readLeftDatabaseUrl } from '../../../src/main/embedded-postgres.ts';
import { freePort } from '../../../src/main/free-port.ts';
import { cpuSecondsBelow } from '../hour/cpu.ts';
import { type Service, startService } from '../hour/service.ts';
import { openConsoles } from './open-consoles.ts';
import { openSignedIn, type Scrolling, timeFirstPaint, timeScrolling, timeUntilShown } from './page-speed.ts';
import { seedConsole } from './seed.ts';

const CHROMIUM = '/usr/bin/chromium';
const JOBS = 5000;
const SITES = 1000;
const CONSOLES = 100;
const TRIES = 5;
const SECONDS = 20;

/** How fast the console is, and what it costs. */
export interface ConsoleReport {
  /** Processes that wanted a processor in the last minute, before and after. */
  readonly load: readonly number[];
  readonly firstPaintMilliseconds: readonly number[];
  readonly firstRowMilliseconds: readonly number[];
  /** From the answer of submitJob to the job being on the page. */
  readonly liveMilliseconds: readonly number[];
  readonly jobs: Scrolling;
  readonly sites: Scrolling;
  /** Shares of one core that the API took. */
  readonly cpuAlone: number;
  /** While a job is handed in every second, and nobody looks. */
  readonly cpuOfChanges: number;
  readonly cpuWithConsoles: number;
  /** The same while a job is handed in every second. */
  readonly cpuWithChanges: number;
  readonly changesTold: number;
}

/** Measures the console over a service of its own, with many jobs and sites. */
export async function measureConsole(say: (what: string) => void): Promise<ConsoleReport> {
  const data = mkdtempSync(join(tmpdir(), 'gridcast-console-'));
  chmodSync(data, 0o755);
  const ports = { api: await freePort(), worker: await freePort() };
  const service = await startService(data, ports, {});
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const databaseUrl = readLeftDatabaseUrl(data, 'gridcast');
    if (databaseUrl === null) throw new Error(`no PostgreSQL runs in ${data}`);
    await seedConsole(databaseUrl, { jobs: JOBS, sites: SITES });
    say(`${JOBS} jobs and ${SITES} sites are written down`);
    const submit = await submitter(service);
    const before = loadavg()[0] ?? 0;
    const speeds = await measureSpeeds(service, browser, submit, say);
    say(JSON.stringify(speeds));
    const costs = await measureCosts(service, { data, apiPort: ports.api }, submit, say);
    return { load: [before, loadavg()[0] ?? 0], ...speeds, ...costs };
  } finally {
    await browser.close();
    await service.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

/** Hands a job in, to one site: what many forecasts cost is another question. */
type Submit = (name: string) => Promise<unknown>;

async function submitter({ ask }: Service): Promise<Submit> {
  const { sites } = (await ask('{ sites { id } }', {})) as { sites: { id: string }[] };
  const siteIds = sites.slice(0, 1).map(({ id }) => id);
  const work = { script: '#!/bin/sh\ntrue\n', processors: 1, walltimeSeconds: 60, siteIds };
  return (name) => ask(SUBMIT, { input: { ...work, name } });
}

const SUBMIT = `mutation Submit($input: SubmitJobInput!) {
  submitJob(input: $input) { job { id } userErrors { message } }
}`;

async function measureSpeeds({ url, token }: Service, browser: Browser, submit: Submit, say: (what: string) => void) {
  const base = url.replace(/\/graphql$/, '');
  const page = await openSignedIn(browser, base, token);
  say('first paint');
  const paints: { paint: number; firstRow: number }[] = [];
  for (let count = 0; count < TRIES; count++) paints.push(await timeFirstPaint(page, base));
  say('scrolling');
  await page.goto(`${base}/jobs`);
  const jobs = await timeScrolling(browser, page, JOBS);
  await page.goto(`${base}/sites`);
  const sites = await timeScrolling(browser, page, SITES);
  say('live updates');
  await page.goto(`${base}/jobs?states=${encodeURIComponent('["REQUESTED","HELD"]')}`);
  await page.getByText('No job fits').waitFor();
  const liveMilliseconds: number[] = [];
  for (let count = 0; count < TRIES; count++) {
    const name = `live-${count}`;
    liveMilliseconds.push(await timeUntilShown(page, name, () => submit(name)));
  }
  await page.close();
  const [firstPaintMilliseconds, firstRowMilliseconds] = [
    paints.map(({ paint }) => paint),
    paints.map(({ firstRow }) => firstRow),
  ];
  return { firstPaintMilliseconds, firstRowMilliseconds, liveMilliseconds, jobs, sites };
}

async function measureCosts(
  { url }: Service,
  at: { readonly data: string; readonly apiPort: number },
  submit: Submit,
  say: (what: string) => void,
) {
  const { data } = at;
  // Of one tenant 50 sockets are served, of one token 20 sessions.
  const tenants = ['lab', 'second', 'third', 'lab', 'second', 'third'];
  const tokens = tenants.map((tenant) => tokenOf(tenant, at));
  const cpuAlone = await shareOf(data, () => sleep(SECONDS * 1000));
  const change = async () => {
    for (let count = 0; count < SECONDS; count++) await Promise.all([sleep(1000), submit(`change-${count}`)]);
  };
  const cpuOfChanges = await shareOf(data, change);
  say(`${CONSOLES} consoles`);
  const consoles = await openConsoles(url, tokens, CONSOLES);
  try {
    await sleep(5000);
    const cpuWithConsoles = await shareOf(data, () => sleep(SECONDS * 1000));
    const cpuWithChanges = await shareOf(data, change);
    return { cpuAlone, cpuOfChanges, cpuWithConsoles, cpuWithChanges, changesTold: consoles.told() };
  } finally {
    await consoles.close();
  }
}

/** The share of one core that the API takes while something goes on. */
async function shareOf(data: string, act: () => Promise<unknown>): Promise<number> {
  const entries = JSON.parse(readFileSync(join(data, 'processes.json'), 'utf8')) as { name: string; pid: number }[];
  const pids = entries.filter(({ name }) => name === 'api').map(({ pid }) => pid);
  const [began, used] = [performance.now(), cpuSecondsBelow(pids)];
  await act();
  return (cpuSecondsBelow(pids) - used) / ((performance.now() - began) / 1000);
}

/** A token of another tenant of the same service. */
function tokenOf(tenant: string, { data, apiPort }: { readonly data: string; readonly apiPort: number }): string {
  const words = [
    '--json',
    'token',
    'create',
    '--tenant',
    tenant,
    '--principal',
    'console',
    '--role',
    'gateway',
    '--new-tenant',
  ];
  const env = { ...process.env, GRIDCAST_DATA: data, GRIDCAST_PORT: String(apiPort) };
  return JSON.parse(execFileSync(process.execPath, ['bin/gridcast.mjs', ...words], { env, encoding: 'utf8' })).token;
}

/** A report in words. */
export function describeConsole(report: ConsoleReport): string {
  const milliseconds = (values: readonly number[]) => values.map((value) => `${Math.round(value)}`).join(', ');
  const scrolled = ({ rows, drawn, framesPerSecond, longestMilliseconds }: Scrolling) =>
    `${framesPerSecond.toFixed(1)} frames a second, the longest ${Math.round(longestMilliseconds)} ms; ${drawn} of ${rows} rows drawn`;
  const costs = (of: Scrolling) =>
    Object.entries(of.costs)
      .map(([what, cost]) => `${what} ${cost.toFixed(2)}`)
      .join(', ');
  const share = (value: number) => `${(100 * value).toFixed(1)} % of a core`;
  return [
    `load of the machine       ${report.load.map((value) => value.toFixed(1)).join(' before, ')} after`,
    `first paint, ms           ${milliseconds(report.firstPaintMilliseconds)}`,
    `first row of jobs, ms     ${milliseconds(report.firstRowMilliseconds)}`,
    `live update, ms           ${milliseconds(report.liveMilliseconds)}`,
    `${JOBS} jobs               ${scrolled(report.jobs)}`,
    `  CPU of a frame, ms      ${costs(report.jobs)}`,
    `${SITES} sites              ${scrolled(report.sites)}`,
    `  CPU of a frame, ms      ${costs(report.sites)}`,
    `API alone                 ${share(report.cpuAlone)}`,
    `a new job a second, alone ${share(report.cpuOfChanges)}`,
    `with ${CONSOLES} consoles         ${share(report.cpuWithConsoles)}`,
    `and a new job a second    ${share(report.cpuWithChanges)}; ${report.changesTold} changes told`,
  ].join('\n');
}
