import { setTimeout as sleep } from 'node:timers/promises';
import { type ExecutionTables, readExecutionTables } from '../../main/bench-executions.ts';
import { readConfig } from '../../main/config.ts';
import type { Bench, BenchRow } from './bench.ts';
import { type BenchStack, startBenchStack } from './bench-stack.ts';
import { cpuMilliseconds } from './cpu-time.ts';
import { readSpent, spentPerPiece, spentRows } from './where-time-goes.ts';

const WARM_UP_JOBS = 100;
const JOBS = 1000;
const CONCURRENT_CALLS = 16;
const CLOCK_SCALE = 60;
const MEGABYTE = 1 << 20;
const POLL_MILLISECONDS = 100;

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
    const before = await readSpent(stack);
    const rowsBefore = await tables.rows();
    const ownBefore = cpuMilliseconds();
    const startedAt = performance.now();
    await submitAll(stack, JOBS);
    const submittedAt = performance.now();
    await untilSettled(tables, WARM_UP_JOBS + JOBS, onProgress);
    const settledAt = performance.now();
    const own = Math.round((100 * (cpuMilliseconds() - ownBefore)) / JOBS) / 100;
    const each = spentPerPiece(before, await readSpent(stack), JOBS);
    const rows = spentPerPiece(rowsBefore, await tables.rows(), JOBS);
    return [
      { queues, what: 'submissions', value: perSecond(submittedAt - startedAt), unit: 'a second' },
      { queues, what: 'executions', value: perSecond(settledAt - startedAt), unit: 'a second' },
      ...(await ofTheWorker(stack)).map((row) => ({ queues, ...row })),
      ...spentRows(each).map((row) => ({ queues, ...row })),
      { queues, what: 'CPU: who submits, not counted above', value: own, unit: 'ms each' },
      ...[...rows].map(([table, value]) => ({ queues, what: `rows kept: ${table}`, value, unit: 'each' })),
    ];
  } finally {
    await tables.close();
    await stack.stop();
  }
}

async function ofTheWorker(stack: BenchStack): Promise<{ what: string; value: number; unit: string }[]> {
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

function perSecond(milliseconds: number): number {
  return Math.round((10_000 * JOBS) / milliseconds) / 10;
}
