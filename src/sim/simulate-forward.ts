import type { EpochSeconds } from '../domain/clock.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../domain/snapshot.ts';
import { Cluster } from './cluster.ts';
import { JobState } from './job-table.ts';
import type { Policy } from './policy.ts';

/** A job nobody has submitted yet: when would it start? */
export interface ProspectiveJob {
  readonly processors: number;
  readonly walltimeSeconds: number;
  /** When it would be submitted; now unless told. */
  readonly submitAt?: EpochSeconds;
}

export interface ForwardOptions {
  readonly policy: Policy;
  /** Simulates no further than this; to the last start unless told. */
  readonly untilAt?: EpochSeconds;
  /** Simulates until this job has started. */
  readonly job?: ProspectiveJob;
}

/** When jobs would start if nobody else came. */
export interface ForwardSimulation {
  /** By native id; jobs that do not start within the simulated time, or can never, are absent. */
  readonly startAt: ReadonlyMap<string, EpochSeconds>;
  /** Start of the prospective job, null when none was given or it does not start. */
  readonly jobStartAt: EpochSeconds | null;
}

/** Runtimes of jobs that only the caller can guess, total seconds from their starts. */
export type RuntimeGuess = (job: WaitingJob | RunningJob) => number;

const SHORTEST_SECONDS = 1;

/**
 * Copies a site's state and runs it forward under a policy, with guessed runtimes and nobody new arriving. Jobs are scheduled by
 * their requested walltimes (the guess where there is none) and end when the guess says, a running one that outlived its guess
 * at its walltime. Cost: that of simulating as many jobs, some ten microseconds each.
 */
export function simulateForward(
  snapshot: Snapshot,
  runtimes: RuntimeGuess,
  options: ForwardOptions,
): ForwardSimulation {
  const now = snapshot.observedAt;
  const busy = snapshot.running.reduce((sum, job) => sum + job.processors, 0);
  const processors = busy + Math.max(0, snapshot.freeProcessors);
  const cluster = new Cluster({ processors, policy: options.policy, fromAt: now });
  for (const job of snapshot.running) cluster.adoptRunning({ ...sizesOf(job, runtimes, now), startAt: job.startAt });
  const ids = new Map<number, string>();
  for (const job of snapshot.waiting) {
    if (job.processors <= processors) ids.set(cluster.adoptWaiting(sizesOf(job, runtimes, now)), job.nativeId);
  }
  cluster.pass();
  const prospective = options.job && options.job.processors <= processors ? submit(cluster, options.job) : null;
  runUntil(cluster, options.untilAt ?? Number.POSITIVE_INFINITY, prospective);
  return {
    startAt: new Map([...ids].map(([job, id]) => [id, startOf(cluster, job)] as const).filter(hasStarted)),
    jobStartAt: prospective === null ? null : startOf(cluster, prospective),
  };
}

/** A prospective job asks for what it is believed to need. */
function submit(cluster: Cluster, job: ProspectiveJob): number {
  const submitAt = Math.max(job.submitAt ?? cluster.now, cluster.now);
  return cluster.submit({ ...job, submitAt, runSeconds: job.walltimeSeconds });
}

function runUntil(cluster: Cluster, untilAt: EpochSeconds, wanted: number | null): void {
  const { state } = cluster.table.columns;
  const isWantedOver = () => wanted !== null && (state[wanted] as number) >= JobState.RUNNING;
  while (!isWantedOver()) {
    const next = cluster.nextEventAt();
    const nobodyWaits = wanted === null && cluster.waitingCount === 0;
    if (next > untilAt || next === Number.POSITIVE_INFINITY || nobodyWaits) return;
    cluster.advanceTo(next);
  }
}

function startOf(cluster: Cluster, job: number): EpochSeconds | null {
  const startAt = cluster.table.columns.startAt[job] as number;
  return Number.isNaN(startAt) ? null : startAt;
}

function hasStarted(entry: readonly [string, EpochSeconds | null]): entry is readonly [string, EpochSeconds] {
  return entry[1] !== null;
}

function sizesOf(job: WaitingJob | RunningJob, runtimes: RuntimeGuess, now: EpochSeconds) {
  const guess = Math.max(SHORTEST_SECONDS, runtimes(job));
  const walltimeSeconds = Math.max(SHORTEST_SECONDS, job.requestedWalltimeSeconds ?? guess);
  const outlived = 'startAt' in job && job.startAt + guess <= now;
  return {
    submitAt: job.submitAt,
    processors: job.processors,
    walltimeSeconds,
    runSeconds: outlived ? walltimeSeconds : Math.min(guess, walltimeSeconds),
  };
}
