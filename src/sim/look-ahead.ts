import type { EpochSeconds } from '../domain/clock.ts';
import type { Cluster } from './cluster.ts';
import { JobState, type SimulatedJob } from './job-table.ts';
import type { Policy } from './policy.ts';
import { type JobAhead, type JobRun, SiteAhead, type SiteNow } from './site-ahead.ts';

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
  private readonly site: SiteNow;
  /** Of the cluster, in the order of the jobs' places. */
  private readonly rows: readonly number[];

  constructor(
    private readonly cluster: Cluster,
    policy: Policy,
    secondsToRun: SecondsToRun,
  ) {
    const { now } = cluster;
    const { processors, walltimeSeconds, expectedEndAt, submitAt } = cluster.table.columns;
    const jobAt = (row: number, walltime: number, isRunning: boolean): JobAhead => ({
      submitAt: submitAt[row] as number,
      processors: processors[row] as number,
      walltimeSeconds: walltime,
      runSeconds: secondsToRun(row, isRunning),
    });
    const running = [...cluster.running()];
    const waiting = [...cluster.waiting(), ...comingNow(cluster)];
    this.rows = [...running, ...waiting];
    this.site = {
      now,
      processors: cluster.processors,
      policy,
      running: running.map((row) => jobAt(row, (expectedEndAt[row] as number) - now, true)),
      waiting: waiting.map((row) => jobAt(row, walltimeSeconds[row] as number, false)),
    };
  }

  /** How long a job would wait that is handed in now, last in the queue; infinite when it never starts. */
  waitSeconds({ processors, walltimeSeconds }: JobToStart): number {
    if (this.site.waiting.length === 0 && processors <= this.cluster.freeProcessors) return 0;
    const ahead = new SiteAhead(this.site);
    const own = ahead.add({ processors, walltimeSeconds, runSeconds: walltimeSeconds });
    return (ahead.startOf(own) ?? Number.POSITIVE_INFINITY) - this.site.now;
  }

  /** When a job runs that is there; null when it never does, or is not there. */
  runOf(row: number): JobRun | null {
    const place = this.rows.lastIndexOf(row);
    return place < 0 ? null : new SiteAhead(this.site).runOf(place);
  }

  /** When jobs run that start until a moment, by their rows; one that runs already starts now. */
  runsUntil(at: EpochSeconds): Map<number, JobRun> {
    const runs = new SiteAhead(this.site).runsUntil(at);
    return new Map(
      this.rows.flatMap((row, place): [number, JobRun][] => {
        const run = runs[place];
        return run ? [[row, run]] : [];
      }),
    );
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
