import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatSeconds } from '../../domain/duration.ts';
import { type BenchedSite, readSitesTables, type SitesTables } from '../../main/bench-sites.ts';
import type { Bench, BenchRow } from './bench.ts';
import { type BenchStack, startBenchStack } from './bench-stack.ts';
import { type Histogram, quantileBound, readHistogram, sinceReading } from './histogram.ts';
import { familyBytes, familyMilliseconds, readProcessCpu } from './process-cpu.ts';

const COUNTS = [10, 100, 1000];
/** Of so many sites one has a long queue. */
const LONG_QUEUE_EVERY = 100;
/** Measured that many times as long as other benches: five minutes unless told. */
const PATIENCE = 30;
/** So many are learned; the jobs of the others are the same as those of one of them. */
const TEMPLATES = 10;
/** What is not learned then, of these or of the others, is learned while it is measured. */
const LONGEST_LEARNING_SECONDS = 1800;
/** Of a past that comes later much is learned anew. */
const ALL_BUT_NEW = 0.95;
const POLL_MILLISECONDS = 2000;
const MEGABYTE = 1e6;
/** The processes that are Gridcast's own, with its database. */
const OWN = ['postgres', 'api', 'worker'];

/** What sites that nobody asks about cost one worker and one API, as they become more. */
export const sitesBench: Bench = {
  name: 'sites',
  describe: `${COUNTS.join(', ')} simulated sites observed every minute, about 200 jobs waiting at most of them and 5,000 at one in a hundred, for 30 x --seconds: CPU, memory, wake-ups; what learning them took`,
  async run({ seconds, sites, onProgress }) {
    const counts = sites.length > 0 ? sites : COUNTS;
    const rows: BenchRow[] = [];
    for (const [index, count] of counts.entries()) {
      rows.push(await measure(count, PATIENCE * seconds, (note) => onProgress(index, counts.length, note)));
    }
    return rows;
  },
};

async function measure(count: number, seconds: number, onProgress: (note: string) => void): Promise<BenchRow> {
  const told = (note: string) => onProgress(`${count} sites: ${note}`);
  const sites = Array.from({ length: count }, (_, i) => siteOf(i));
  const stack = await startBenchStack({
    clockScale: 1,
    recordsPerSite: null,
    registersLater: sites.map(({ name }) => name),
    environment: { GRIDCAST_OBSERVE_SECONDS: '60', GRIDCAST_HISTORY_SECONDS: '300' },
    sites,
    onProgress: told,
  });
  const tables = readSitesTables(stack.databaseUrl);
  try {
    const empty = readBytes(stack);
    const learning = await learn(stack, tables, count, told);
    const before = await read(stack);
    for (let left = seconds; left > 0; left -= 10) {
      told(`${formatSeconds(left)} to measure`);
      await sleep(1000 * Math.min(10, left));
    }
    const after = await read(stack);
    return { ...rowOf(before, after, await tables.states()), ...memoryOf(empty, after.bytes, count), ...learning };
  } finally {
    await tables.close();
    await stack.stop();
  }
}

/** Twice as much is asked for as there are processors, so queues grow by about twenty jobs a day. */
function siteOf(i: number): Parameters<typeof startBenchStack>[0]['sites'][number] {
  const generated = { seed: templateOf(i) + 1, load: 2, steady: true };
  return { name: nameOf(i), processors: 256, workload: { generated }, warmDays: isLong(i) ? 240 : 10 };
}

function withoutLong(sites: readonly number[]): readonly number[] {
  return sites.filter((i) => !isLong(i));
}

function ofNames(states: readonly BenchedSite[], sites: readonly number[]): readonly BenchedSite[] {
  const names = new Set(sites.map(nameOf));
  return states.filter(({ name }) => names.has(name));
}

function isLong(i: number): boolean {
  return i % LONG_QUEUE_EVERY === 0;
}

/** The first site whose jobs are those of a site. */
function templateOf(i: number): number {
  return isLong(i) ? 0 : 1 + ((i - 1) % (TEMPLATES - 1));
}

function nameOf(i: number): string {
  return `site-${i}`;
}

/**
 * Lets the first sites be learned; the others, whose jobs are the same as theirs, are given what came of it.
 * @returns what that took
 */
async function learn(
  stack: BenchStack,
  tables: SitesTables,
  count: number,
  onProgress: (note: string) => void,
): Promise<BenchRow> {
  const startedAt = performance.now();
  const cpuBefore = ownCpuSeconds(stack);
  const all = Array.from({ length: count }, (_, i) => i);
  const templates = all.slice(0, TEMPLATES);
  const shortOnes = withoutLong(all);
  await stack.register(templates.map(nameOf));
  await untilLearned(tables, withoutLong(templates), onProgress);
  await stack.register(withoutLong(all.slice(TEMPLATES)).map(nameOf));
  await untilLearned(tables, [...shortOnes, ...templates], onProgress, shortOnes.slice(TEMPLATES - 1));
  const learnedThemselves = ofNames(await tables.states(), templates).filter(({ isLearned }) => isLearned).length;
  const others = all.slice(TEMPLATES);
  await stack.register(others.filter(isLong).map(nameOf));
  const learned = await untilLearned(tables, all, onProgress, others);
  const learningCpuSeconds = Math.round(ownCpuSeconds(stack) - cpuBefore);
  const learningSeconds = Math.round((performance.now() - startedAt) / 1000);
  return { learned, learnedThemselves, learningCpuSeconds, learningSeconds };
}

/**
 * Waits until sites have been learned, or for as long as can be waited.
 * @param copies of them, which are given what was learned of their templates
 * @returns how many have been
 */
async function untilLearned(
  tables: SitesTables,
  wanted: readonly number[],
  onProgress: (note: string) => void,
  copies: readonly number[] = [],
): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const states = new Map((await tables.states()).map((state) => [state.name, state]));
    const isLearned = (i: number) => states.get(nameOf(i))?.isLearned ?? false;
    const learned = wanted.filter(isLearned).length;
    const passed = (performance.now() - startedAt) / 1000;
    onProgress(`${states.size} observed, ${learned} learned after ${formatSeconds(passed)}`);
    if (learned >= wanted.length || passed >= LONGEST_LEARNING_SECONDS) return learned;
    for (const template of new Set(copies.map(templateOf))) {
      const from = states.get(nameOf(template));
      if (!from?.isLearned) continue;
      const hasComeIn = (i: number) => (states.get(nameOf(i))?.records ?? 0) >= ALL_BUT_NEW * from.records;
      const to = copies.filter((i) => templateOf(i) === template && hasComeIn(i) && !isLearned(i));
      if (to.length > 0) await tables.copyLearned(from.id, to.map(nameOf));
    }
    await sleep(POLL_MILLISECONDS);
  }
}

interface Reading {
  readonly at: number;
  /** CPU seconds by process, threads that forecast apart. */
  readonly cpu: ReadonlyMap<string, number>;
  readonly bytes: ReadonlyMap<string, number>;
  readonly observations: number;
  readonly lateness: Histogram;
}

async function read(stack: BenchStack): Promise<Reading> {
  const cpu = new Map<string, number>();
  for (const [name, pid] of stack.pids()) {
    if (name === 'launcher') continue;
    const { mainMilliseconds, otherMilliseconds } = readProcessCpu(pid);
    if (name === 'postgres') cpu.set(name, familyMilliseconds(pid) / 1000);
    else {
      cpu.set(name, mainMilliseconds / 1000);
      cpu.set(`${name}, other threads`, otherMilliseconds / 1000);
    }
  }
  return {
    at: performance.now() / 1000,
    cpu,
    bytes: readBytes(stack),
    observations: await stack.workerMetric('gridcast_step_seconds_count{step="observe",result="DONE"}'),
    lateness: readHistogram(await stack.workerMetrics(), 'gridcast_wake_up_lateness_seconds'),
  };
}

function readBytes(stack: BenchStack): Reading['bytes'] {
  return new Map([...stack.pids()].map(([name, pid]) => [name, familyBytes(pid)]));
}

function rowOf(before: Reading, after: Reading, states: readonly BenchedSite[]): BenchRow {
  const passed = after.at - before.at;
  const share = (name: string) => ((after.cpu.get(name) ?? 0) - (before.cpu.get(name) ?? 0)) / passed;
  const percent = (...names: string[]) => Math.round(1000 * names.reduce((sum, name) => sum + share(name), 0)) / 10;
  const lateness = sinceReading(after.lateness, before.lateness);
  const waiting = states.map((state) => state.waiting).sort((a, b) => a - b);
  return {
    sites: states.length,
    records: states.reduce((sum, { records }) => sum + records, 0),
    waitingMedian: waiting[waiting.length >> 1] ?? 0,
    waitingMost: waiting.at(-1) ?? 0,
    observationsPerMinute: Math.round((60 * (after.observations - before.observations)) / passed),
    cpuPercentOfOneCore: percent(...OWN.flatMap((name) => [name, `${name}, other threads`])),
    workerMainPercent: percent('worker'),
    workerThreadsPercent: percent('worker, other threads'),
    apiPercent: percent('api', 'api, other threads'),
    postgresPercent: percent('postgres'),
    simulatorPercent: percent('simulated-sites', 'simulated-sites, other threads'),
    latenessP99Milliseconds: Math.round(1000 * quantileBound(lateness, 0.99)),
    loadAverage: Math.round(10 * (loadavg()[0] ?? Number.NaN)) / 10,
    cores: cpus().length,
  };
}

/** @param empty as it was before the first site was registered */
function memoryOf(empty: Reading['bytes'], after: Reading['bytes'], sites: number): BenchRow {
  const megabytesOf = (bytes: Reading['bytes'], ...names: string[]) =>
    names.reduce((sum, name) => sum + (bytes.get(name) ?? 0), 0) / MEGABYTE;
  const [before, all] = [megabytesOf(empty, ...OWN), megabytesOf(after, ...OWN)];
  return {
    megabytes: Math.round(all),
    megabytesWithoutSites: Math.round(before),
    megabytesPerSite: Math.round((100 * (all - before)) / sites) / 100,
    workerMegabytes: Math.round(megabytesOf(after, 'worker')),
    apiMegabytes: Math.round(megabytesOf(after, 'api')),
    postgresMegabytes: Math.round(megabytesOf(after, 'postgres')),
  };
}

function ownCpuSeconds(stack: BenchStack): number {
  const families = [...stack.pids()].filter(([name]) => OWN.includes(name));
  return families.reduce((sum, [, pid]) => sum + familyMilliseconds(pid), 0) / 1000;
}
