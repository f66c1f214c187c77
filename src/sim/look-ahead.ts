import type { EpochSeconds } from '../domain/clock.ts';
import { Cluster } from './cluster.ts';
import { JobState, type SimulatedJob } from './job-table.ts';
import type { Policy } from './policy.ts';

/** How long somebody thinks that a job runs: one that waits in all, one that runs from now on. Seconds. */
export type SecondsToRun = (row: number, isRunning: boolean) => number;

/** A job as it would be handed in, as far as its start hangs on it. */
export type JobToStart = Pick<SimulatedJob, 'processors' | 'walltimeSeconds'>;

/**
 * What a machine would do from now on if nobody else came and its jobs ran as long as is thought: its own policy goes
 * on with the jobs that run and wait. It schedules by walltimes, as the machine does; the thought runtimes are when
 * jobs end. The machine itself is only looked at. O(jobs there) a question.
 */
export class LookAhead {
  private readonly jobs: readonly SimulatedJob[];
  private readonly now: EpochSeconds;
  private readonly isEmpty: boolean;

  constructor(
    private readonly cluster: Cluster,
    private readonly policy: Policy,
    secondsToRun: SecondsToRun,
  ) {
    const { now } = cluster;
    const { processors, walltimeSeconds, expectedEndAt } = cluster.table.columns;
    const jobAt = (row: number, walltime: number, isRunning: boolean): SimulatedJob => ({
      submitAt: now,
      processors: processors[row] as number,
      walltimeSeconds: Math.max(1, walltime),
      runSeconds: Math.max(1, secondsToRun(row, isRunning)),
    });
    const waiting = [...cluster.waiting(), ...comingNow(cluster)].map((row) => {
      return jobAt(row, walltimeSeconds[row] as number, false);
    });
    this.isEmpty = waiting.length === 0;
    this.now = now;
    this.jobs = [
      ...Array.from(cluster.running(), (row) => jobAt(row, (expectedEndAt[row] as number) - now, true)),
      ...waiting,
    ];
  }

  /** How long a job would wait that is handed in now, last in the queue. It must fit the machine. */
  waitSeconds({ processors, walltimeSeconds }: JobToStart): number {
    if (this.isEmpty && processors <= this.cluster.freeProcessors) return 0;
    const { now } = this;
    const ahead = new Cluster({
      processors: this.cluster.processors,
      policy: this.policy,
      fromAt: now,
      expectedJobs: this.jobs.length + 1,
    });
    for (const job of this.jobs) ahead.submit(job);
    const own = ahead.submit({ submitAt: now, processors, walltimeSeconds, runSeconds: walltimeSeconds });
    for (;;) {
      ahead.advanceTo(ahead.nextEventAt());
      const startAt = ahead.table.columns.startAt[own] as number;
      if (!Number.isNaN(startAt)) return startAt - now;
    }
  }
}

/** Jobs that were handed in for this very moment, which has not happened yet. */
function comingNow({ table, now }: Cluster): number[] {
  const { state, submitAt } = table.columns;
  const rows: number[] = [];
  for (let row = table.length - 1; row >= 0 && state[row] === JobState.PENDING; row--) {
    if ((submitAt[row] as number) <= now) rows.push(row);
  }
  return rows.reverse();
}
