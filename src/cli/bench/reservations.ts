import { setTimeout as sleep } from 'node:timers/promises';
import { formatSeconds } from '../../domain/duration.ts';
import { writePendingReservations } from '../../main/bench-reservations.ts';
import type { Bench, BenchRow } from './bench.ts';
import { type BenchStack, startBenchStack } from './bench-stack.ts';
import { type Histogram, quantileBound, readHistogram, sinceReading } from './histogram.ts';

const RESERVATIONS = 10_000;
const SITE = 'wide';
/** Measured that many times as long as other benches: five minutes unless told. */
const PATIENCE = 30;
/** After being written down every promise is looked at once, which plans it, and its wake-up goes into the queue. */
const SETTLING_SECONDS = 240;
const LEAD_SECONDS = 4 * 3600;
const SPREAD_SECONDS = 3 * 3600;

/**
 * What ten thousand promises that wait for their submission cost one worker, and whether it still comes to every row in
 * time.
 */
export const reservationsBench: Bench = {
  name: 'reservations',
  describe: `${RESERVATIONS} reservations that wait on one worker, for 30 x --seconds: lateness of wake-ups, CPU, observations; and without them`,
  async run({ seconds, onProgress }) {
    const measured = PATIENCE * seconds;
    const stack = await startBenchStack({
      clockScale: 1,
      recordsPerSite: 1000,
      environment: {},
      sites: [
        { name: SITE, processors: 8192, workload: { generated: { seed: 1, load: 0.7 } }, warmDays: 30 },
        { name: 'other', processors: 1024, workload: { generated: { seed: 2, load: 0.7 } }, warmDays: 30 },
      ],
      onProgress: (note) => onProgress(0, 4, note),
    });
    try {
      const without = await measure(stack, 0, measured, (note) => onProgress(1, 4, note));
      const pending = { siteName: SITE, count: RESERVATIONS, leadSeconds: LEAD_SECONDS, spreadSeconds: SPREAD_SECONDS };
      await writePendingReservations(stack.databaseUrl, pending, (written) => onProgress(2, 4, `${written} written`));
      onProgress(2, 4, 'looked at for the first time');
      await sleep(1000 * SETTLING_SECONDS);
      const withThem = await measure(stack, RESERVATIONS, measured, (note) => onProgress(3, 4, note));
      onProgress(4, 4, 'done');
      return [without, withThem];
    } finally {
      await stack.stop();
    }
  },
};

interface Reading {
  readonly at: number;
  readonly cpuSeconds: number;
  readonly observations: number;
  readonly recomputed: number;
  readonly lateness: Histogram;
}

async function measure(
  stack: BenchStack,
  pending: number,
  seconds: number,
  onProgress: (note: string) => void,
): Promise<BenchRow> {
  onProgress(`${formatSeconds(seconds)} with ${pending} pending`);
  const before = await read(stack);
  await sleep(1000 * seconds);
  const after = await read(stack);
  const perMinute = (figure: 'observations' | 'recomputed') =>
    Math.round((600 * (after[figure] - before[figure])) / (after.at - before.at)) / 10;
  const lateness = sinceReading(after.lateness, before.lateness);
  const milliseconds = (share: number) => Math.round(1000 * quantileBound(lateness, share));
  return {
    pending,
    latenessP50Milliseconds: milliseconds(0.5),
    latenessP99Milliseconds: milliseconds(0.99),
    cpuPercentOfOneCore: Math.round((1000 * (after.cpuSeconds - before.cpuSeconds)) / (after.at - before.at)) / 10,
    recomputedPerMinute: perMinute('recomputed'),
    observationsPerMinute: perMinute('observations'),
  };
}

async function read(stack: BenchStack): Promise<Reading> {
  return {
    at: performance.now() / 1000,
    cpuSeconds: await stack.workerMetric('process_cpu_seconds_total'),
    observations: await stack.workerMetric('gridcast_step_seconds_count{step="observe",result="DONE"}'),
    recomputed: await stack.workerMetric('gridcast_recomputed_total'),
    lateness: readHistogram(await stack.workerMetrics(), 'gridcast_wake_up_lateness_seconds'),
  };
}
