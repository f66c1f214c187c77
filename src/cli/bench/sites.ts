import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatSeconds } from '../../domain/duration.ts';
import { readSitesTables, type SitesState, type SitesTables } from '../../main/bench-sites.ts';
import type { Bench, BenchRow } from './bench.ts';
import { type BenchStack, startBenchStack } from './bench-stack.ts';
import { type Histogram, quantileBound, readHistogram, sinceReading } from './histogram.ts';
import { familyBytes, familyMilliseconds, readProcessCpu } from './process-cpu.ts';

const COUNTS = [10, 100, 1000];
/** Of so many sites one has a long queue. */
const LONG_QUEUE_EVERY = 100;
/** Measured that many times as long as other benches: five minutes unless told. */
const PATIENCE = 30;
/** A site that takes longer to learn is learned while it is measured. */
const LEARNING_SECONDS_A_SITE = 20;
const LONGEST_LEARNING_SECONDS = 3600;
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
  const stack = await startBenchStack({
    clockScale: 1,
    recordsPerSite: null,
    environment: { GRIDCAST_OBSERVE_SECONDS: '60', GRIDCAST_HISTORY_SECONDS: '300' },
    sites: Array.from({ length: count }, (_, i) => siteOf(i)),
    onProgress: told,
  });
  const tables = readSitesTables(stack.databaseUrl);
  try {
    const learning = await untilLearned(stack, tables, count, told);
    const before = await read(stack);
    for (let left = seconds; left > 0; left -= 10) {
      told(`${formatSeconds(left)} to measure`);
      await sleep(1000 * Math.min(10, left));
    }
    return { ...rowOf(count, before, await read(stack), await tables.state()), ...learning };
  } finally {
    await tables.close();
    await stack.stop();
  }
}

/** Twice as much is asked for as there are processors, so queues grow by about twenty jobs a day. */
function siteOf(i: number): Parameters<typeof startBenchStack>[0]['sites'][number] {
  const isLong = i % LONG_QUEUE_EVERY === 0;
  const generated = { seed: i + 1, load: 2, steady: true };
  return { name: `site-${i}`, processors: 256, workload: { generated }, warmDays: isLong ? 240 : 10 };
}

/** Waits until all have been learned, or for as long as can be waited. @returns what that took */
async function untilLearned(
  stack: BenchStack,
  tables: SitesTables,
  count: number,
  onProgress: (note: string) => void,
): Promise<BenchRow> {
  const startedAt = performance.now();
  const cpuBefore = ownCpuSeconds(stack);
  const patienceSeconds = Math.min(LONGEST_LEARNING_SECONDS, 60 + LEARNING_SECONDS_A_SITE * count);
  for (;;) {
    const { observed, learned, records } = await tables.state();
    const passed = (performance.now() - startedAt) / 1000;
    onProgress(`${observed} observed, ${learned} learned, ${records} records after ${formatSeconds(passed)}`);
    if (learned >= count || passed >= patienceSeconds) {
      const cpu = ownCpuSeconds(stack) - cpuBefore;
      return { learned, learningSeconds: Math.round(passed), learningCpuSeconds: Math.round(cpu) };
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
  const bytes = new Map<string, number>();
  for (const [name, pid] of stack.pids()) {
    if (name === 'launcher') continue;
    bytes.set(name, familyBytes(pid));
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
    bytes,
    observations: await stack.workerMetric('gridcast_step_seconds_count{step="observe",result="DONE"}'),
    lateness: readHistogram(await stack.workerMetrics(), 'gridcast_wake_up_lateness_seconds'),
  };
}

function rowOf(sites: number, before: Reading, after: Reading, state: SitesState): BenchRow {
  const passed = after.at - before.at;
  const share = (name: string) => ((after.cpu.get(name) ?? 0) - (before.cpu.get(name) ?? 0)) / passed;
  const percent = (...names: string[]) => Math.round(1000 * names.reduce((sum, name) => sum + share(name), 0)) / 10;
  const megabytes = (...names: string[]) =>
    Math.round(names.reduce((sum, name) => sum + (after.bytes.get(name) ?? 0), 0) / MEGABYTE);
  const lateness = sinceReading(after.lateness, before.lateness);
  const { waiting } = state;
  return {
    sites,
    records: state.records,
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
    megabytes: megabytes(...OWN),
    workerMegabytes: megabytes('worker'),
    apiMegabytes: megabytes('api'),
    postgresMegabytes: megabytes('postgres'),
    loadAverage: Math.round(10 * (loadavg()[0] ?? Number.NaN)) / 10,
    cores: cpus().length,
  };
}

function ownCpuSeconds(stack: BenchStack): number {
  const families = [...stack.pids()].filter(([name]) => OWN.includes(name));
  return families.reduce((sum, [, pid]) => sum + familyMilliseconds(pid), 0) / 1000;
}
