import { setTimeout as sleep } from 'node:timers/promises';
import { type ExecutionTables, readExecutionTables } from '../../main/bench-executions.ts';
import { readConfig } from '../../main/config.ts';
import type { Bench, BenchRow } from './bench.ts';
import { type BenchStack, startBenchStack } from './bench-stack.ts';
import { cpuMilliseconds } from './cpu-time.ts';
import { cpuSpent, readSpent, spentPerPiece, spentRows } from './where-time-goes.ts';

const WARM_UP_JOBS = 100;
const JOBS = 1000;
const CONCURRENT_CALLS = 16;
const CLOCK_SCALE = 60;
const MEGABYTE = 1 << 20;
const POLL_MILLISECONDS = 100;
/** For so long it is looked at what the stack takes in any case. */
const IDLE_SECONDS = 10;

/** How many executions one worker drives from the mutation to the settled end, and where the time goes. */
export const executionsBench: Bench = {
  name: 'executions',
  describe: `${JOBS} one-second jobs from submitJob to settled on one worker, after ${WARM_UP_JOBS} to warm up, and what each costs; queues in PostgreSQL, with REDIS_URL and --redis in Redis too`,
  async run({ redis, onProgress }) {
    const redisUrl = readConfig().REDIS_URL;
    if (redis && !redisUrl) throw new Error('--redis needs REDIS_URL');
    const backends = redis && redisUrl ? ['', redisUrl] : [''];
    const rows: BenchRow[] = [];
    for (const [index, address] of backends.entries()) {
      rows.push(...(await measure(address, (note) => onProgress(index, backends.length, note))));
      onProgress(index + 1, backends.length, address === '' ? 'PostgreSQL' : 'Redis');
    }
    return rows;
  },
};

async function measure(redisUrl: string, onProgress: (note: string) => void): Promise<BenchRow[]> {
  const stack = await startBenchStack({
    clockScale: CLOCK_SCALE,
    recordsPerSite: 1,
    environment: { REDIS_URL: redisUrl, GRIDCAST_OBSERVE_SECONDS: '60', GRIDCAST_HISTORY_SECONDS: '600' },
    sites: [{ name: 'wide', processors: 8192, workload: { generated: { seed: 1, load: 0.05 } }, warmDays: 20 }],
    onProgress,
  });
  const tables = readExecutionTables(stack.databaseUrl);
  const queues = redisUrl === '' ? 'PostgreSQL' : 'Redis';
  try {
    await submitAll(stack, WARM_UP_JOBS);
    await untilSettled(tables, WARM_UP_JOBS, onProgress);
    const idle = await idleMilliseconds(stack);
    const rows = [...(await ofTheJobs(stack, tables, idle, onProgress)), ...(await ofTheWorker(stack))];
    return rows.map((row) => ({ queues, ...row }));
  } finally {
    await tables.close();
    await stack.stop();
  }
}

interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
}

/** CPU that the stack takes in a second while nothing is asked, in milliseconds. */
async function idleMilliseconds(stack: BenchStack): Promise<number> {
  const before = cpuSpent(await readSpent(stack));
  await sleep(IDLE_SECONDS * 1000);
  return (cpuSpent(await readSpent(stack)) - before) / IDLE_SECONDS;
}

/** How many there are a second, and what each takes. */
async function ofTheJobs(
  stack: BenchStack,
  tables: ExecutionTables,
  idle: number,
  onProgress: (note: string) => void,
): Promise<Figure[]> {
  const before = await readSpent(stack);
  const rowsBefore = await tables.rows();
  const ownBefore = cpuMilliseconds();
  const startedAt = performance.now();
  await submitAll(stack, JOBS);
  const submittedAt = performance.now();
  await untilSettled(tables, WARM_UP_JOBS + JOBS, onProgress);
  const settledAt = performance.now();
  const own = (cpuMilliseconds() - ownBefore) / JOBS;
  const after = await readSpent(stack);
  const each = spentPerPiece(before, after, JOBS);
  // A long run is charged for all that the stack does meanwhile.
  const net = (cpuSpent(after) - cpuSpent(before) - (idle * (settledAt - startedAt)) / 1000) / JOBS;
  const rows = spentPerPiece(rowsBefore, await tables.rows(), JOBS);
  return [
    { what: 'submissions', value: perSecond(submittedAt - startedAt), unit: 'a second' },
    { what: 'executions', value: perSecond(settledAt - startedAt), unit: 'a second' },
    { what: 'CPU: all but what is taken in any case', value: round(net), unit: 'ms each' },
    { what: 'CPU: what is taken in any case', value: round(idle), unit: 'ms a second' },
    ...spentRows(each),
    { what: 'CPU: who submits, not counted above', value: round(own), unit: 'ms each' },
    ...[...rows].map(([table, value]) => ({ what: `rows kept: ${table}`, value, unit: 'each' })),
  ];
}

async function ofTheWorker(stack: BenchStack): Promise<Figure[]> {
  const bytes = await stack.workerMetric('process_resident_memory_bytes');
  const lagSeconds = await stack.workerMetric('nodejs_eventloop_lag_p99_seconds');
  return [
    { what: 'memory of the worker', value: Math.round(bytes / MEGABYTE), unit: 'MB' },
    { what: "lag of the worker's event loop, p99", value: Math.round(1000 * lagSeconds), unit: 'ms' },
  ];
}

async function submitAll({ client }: BenchStack, jobs: number): Promise<void> {
  let next = 0;
  const caller = async () => {
    while (next < jobs) {
      const name = `bench-${next++}`;
      const input = { name, script: '#!/bin/sh\nsleep 1\n', processors: 1, walltimeSeconds: 60 };
      const { submitJob } = await client.request<{ submitJob: { userErrors: { message: string }[] } }>(
        'mutation Submit($input: SubmitJobInput!) { submitJob(input: $input) { userErrors { message } } }',
        { input },
      );
      const [error] = submitJob.userErrors;
      if (error) throw new Error(error.message);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_CALLS }, caller));
}

/** Ended and booked; told by the tables, so that the service is asked nothing. */
async function untilSettled(tables: ExecutionTables, jobs: number, onProgress: (note: string) => void): Promise<void> {
  for (;;) {
    const settled = await tables.settled();
    onProgress(`${settled} of ${jobs} settled`);
    if (settled >= jobs) return;
    await sleep(POLL_MILLISECONDS);
  }
}

function round(value: number): number {
  return Math.round(100 * value) / 100;
}

function perSecond(milliseconds: number): number {
  return Math.round((10_000 * JOBS) / milliseconds) / 10;
}
