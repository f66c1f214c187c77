import { generateJobs } from '../../../src/sim/generator.ts';

/** What the partitions of the cluster can give at a time, and whether that is processors or GPUs of a kind. */
export const LOADED_PARTITIONS = [
  { queue: 'batch', amount: 32, gpuKind: null },
  { queue: 'a100', amount: 8, gpuKind: 'a100' },
  { queue: 'v100', amount: 8, gpuKind: 'v100' },
] as const;

/** How a cluster is lived with. */
export interface WaitsOptions {
  readonly minutes: number;
  readonly seed: number;
  /** A second of the run stands for so many of the records, so that an hour is some days of a site. */
  readonly scale: number;
}

/** A job of other people, when it is due and what it asks for. */
export interface HandedInJob {
  readonly queue: string;
  /** Seconds of the run. */
  readonly atSeconds: number;
  /** Processors, and as many GPUs where a kind is told. */
  readonly amount: number;
  readonly gpuKind: string | null;
  readonly runSeconds: number;
  readonly walltimeMinutes: number;
  /** Whose it is, from 1 on. */
  readonly person: number;
}

/** Generated jobs of all partitions in the order of their submission, without end. */
export function* loadOf({ seed, scale }: WaitsOptions): Generator<HandedInJob> {
  const streams = LOADED_PARTITIONS.map(({ queue, amount, gpuKind }, n) => {
    const people = { seed: seed + n, processors: amount, load: LOAD, users: PEOPLE, fromAt: 0, steady: true };
    return { queue, gpuKind, jobs: generateJobs({ ...people, maxWalltimeSeconds: LONGEST_SECONDS }) };
  });
  const next = streams.map((stream) => ({ ...stream, job: stream.jobs.next().value }));
  for (;;) {
    const first = next.reduce((a, b) => (b.job.submitAt < a.job.submitAt ? b : a));
    const { job, queue, gpuKind } = first;
    yield {
      ...{ queue, gpuKind, person: job.user, amount: job.processors },
      atSeconds: job.submitAt / scale,
      runSeconds: Math.max(1, Math.round(Math.min(job.runSeconds, job.walltimeSeconds) / scale)),
      walltimeMinutes: Math.max(1, Math.ceil(job.walltimeSeconds / scale / 60)),
    };
    first.job = first.jobs.next().value;
  }
}

const LOAD = 0.9;
const PEOPLE = 12;
/** No job of the records asks for more. */
const LONGEST_SECONDS = 43_200;
