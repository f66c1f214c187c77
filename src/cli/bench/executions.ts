import { readConfig } from '../../main/config.ts';
import type { Bench, BenchRow } from './bench.ts';
import { type BenchStack, startBenchStack } from './bench-stack.ts';

const JOBS = 400;
const CONCURRENT_CALLS = 16;
const CLOCK_SCALE = 60;
const MEGABYTE = 1 << 20;

/** How many executions one worker drives from the mutation to the settled end, per second of wall time. */
export const executionsBench: Bench = {
  name: 'executions',
  describe: `${JOBS} one-second jobs from submitJob to settled on one worker; queues in PostgreSQL, with REDIS_URL and --redis in Redis too`,
  async run({ redis, onProgress }) {
    const redisUrl = readConfig().REDIS_URL;
    if (redis && !redisUrl) throw new Error('--redis needs REDIS_URL');
    const backends = redis && redisUrl ? ['', redisUrl] : [''];
    const rows: BenchRow[] = [];
    for (const [index, address] of backends.entries()) {
      rows.push(await measure(address, (note) => onProgress(index, backends.length, note)));
      onProgress(index + 1, backends.length, address === '' ? 'PostgreSQL' : 'Redis');
    }
    return rows;
  },
};

async function measure(redisUrl: string, onProgress: (note: string) => void): Promise<BenchRow> {
  const stack = await startBenchStack({
    clockScale: CLOCK_SCALE,
    recordsPerSite: 1,
    environment: { REDIS_URL: redisUrl, GRIDCAST_OBSERVE_SECONDS: '60', GRIDCAST_HISTORY_SECONDS: '600' },
    sites: [{ name: 'wide', processors: 8192, workload: { generated: { seed: 1, load: 0.05 } }, warmDays: 20 }],
    onProgress,
  });
  try {
    const startedAt = performance.now();
    await submitAll(stack);
    const submittedAt = performance.now();
    await untilSettled(stack, onProgress);
    const settledAt = performance.now();
    return {
      queues: redisUrl === '' ? 'PostgreSQL' : 'Redis',
      jobs: JOBS,
      submitsPerSecond: perSecond(submittedAt - startedAt),
      executionsPerSecond: perSecond(settledAt - startedAt),
      workerMegabytes: Math.round((await stack.workerMetric('process_resident_memory_bytes')) / MEGABYTE),
      workerEventLoopP99Milliseconds: Math.round(1000 * (await stack.workerMetric('nodejs_eventloop_lag_p99_seconds'))),
    };
  } finally {
    await stack.stop();
  }
}

async function submitAll({ client }: BenchStack): Promise<void> {
  let next = 0;
  const caller = async () => {
    while (next < JOBS) {
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

async function untilSettled({ client }: BenchStack, onProgress: (note: string) => void): Promise<void> {
  for (;;) {
    const { jobs } = await client.request<{ jobs: { totalCount: number } }>(
      'query Ended { jobs(first: 1, states: [ENDED]) { totalCount } }',
    );
    onProgress(`${jobs.totalCount} of ${JOBS} ended`);
    if (jobs.totalCount >= JOBS) return;
    await new Promise((done) => setTimeout(done, 100));
  }
}

function perSecond(milliseconds: number): number {
  return Math.round((10_000 * JOBS) / milliseconds) / 10;
}
