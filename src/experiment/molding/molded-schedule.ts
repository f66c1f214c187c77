import { hasRun, type JobRecord, ranSeconds } from '../../domain/job.ts';
import { submissionOf } from '../../predict/past/reveal.ts';
import type { SiteListener } from '../../predict/predictor.ts';
import type { Cluster } from '../../sim/cluster.ts';
import type { SimulatedJob } from '../../sim/job-table.ts';
import { LoggedJobs } from '../../sim/logged-jobs.ts';
import type { Policy } from '../../sim/policy.ts';
import { RandomStream } from '../../sim/random.ts';
import { ReplayedSite, type ReplayedSiteListener } from '../../sim/replayed-site.ts';
import type { Arrival } from '../../sim/submission-hook.ts';
import type { Workload } from '../../sim/workload.ts';
import type { ExpectedRuntimes } from '../look-ahead/expected-runtimes.ts';
import type { MoldedRuntimeRule, SizeOption } from './runtime-rules.ts';
import type { SizeStrategy } from './size-strategies.ts';
import { UserRuns } from './user-runs.ts';

export interface MoldedScheduleOptions {
  readonly processors: number;
  readonly policy: Policy;
  readonly seed: number;
  readonly rule: MoldedRuntimeRule;
  readonly strategy: SizeStrategy;
  /** Null where the strategy forecasts nothing. */
  readonly expected: ExpectedRuntimes | null;
  /** Told what happens at the site beside it, with a snapshot every so often; null for nobody. */
  readonly watcher: { readonly listener: SiteListener; readonly everySeconds: number } | null;
  /** Whether a job of the log, by its number, may be given another size. */
  isMolded(number: number, user: string | null): boolean;
  /** Sizes that are thought of for a job at most. */
  readonly mostSizes: number;
  onProgress(submitted: number): void;
}

/** What became of the jobs of a log. Row i of `cluster.table` is job `numbers[i]` of the log. */
export interface MoldedSchedule {
  readonly cluster: Cluster;
  readonly numbers: Int32Array;
}

/** Runs a log through one machine, some of whose jobs are given another size as they are submitted. */
export function moldedSchedule(workload: Workload, options: MoldedScheduleOptions): MoldedSchedule {
  const molding = new Molding(workload, options);
  const { site } = molding;
  while (site.taken < workload.length) {
    options.onProgress(site.taken);
    const next = Math.min(site.taken + PROGRESS_JOBS, workload.length) - 1;
    site.advanceTo(workload.columns.submitAt[next] as number);
  }
  site.advanceTo(Number.POSITIVE_INFINITY);
  return { cluster: site.cluster, numbers: site.sourceNumbers };
}

const PROGRESS_JOBS = 256;

/** One log on its way through a machine. */
class Molding {
  readonly site: ReplayedSite;
  private readonly runs = new UserRuns();
  private readonly random: RandomStream;
  /** Rows of jobs that ran at a size that was chosen for them: they teach nothing of what users choose. */
  private readonly reshaped = new Set<number>();
  /** What was decided of the job that is being handed in. */
  private decided: { readonly option: SizeOption; readonly isReshaped: boolean } | null = null;

  constructor(
    workload: Workload,
    private readonly options: MoldedScheduleOptions,
  ) {
    const { processors, policy, seed, watcher } = options;
    const fromAt = workload.columns.submitAt[0] ?? 0;
    this.random = new RandomStream(seed);
    this.site = new ReplayedSite(
      new LoggedJobs(workload, processors),
      {
        processors,
        policy,
        fromAt,
        expectedJobs: workload.length,
        atSubmission: (arrival) => this.shape(arrival),
        ...(watcher && { watch: { fromAt, everySeconds: watcher.everySeconds } }),
      },
      this.listener(),
    );
  }

  private listener(): ReplayedSiteListener {
    const { expected, watcher } = this.options;
    const recordOf = (row: number) => this.site.record(row);
    return {
      submitted: (row) => {
        if (this.decided?.isReshaped) this.reshaped.add(row);
        expected?.submitted(row, recordOf(row), this.decided?.option.runQuantileSeconds);
        if (watcher) watcher.listener.submitted?.(submissionOf(recordOf(row)));
      },
      started: (row) => {
        if (!expected && !watcher) return;
        const record = recordOf(row);
        expected?.started(record);
        if (watcher && record.startAt !== null) watcher.listener.started?.({ ...record, startAt: record.startAt });
      },
      ended: (row) => {
        const record = recordOf(row);
        this.learn(row, record);
        expected?.ended(row, record);
        if (watcher && record.endAt !== null) watcher.listener.ended?.({ ...record, endAt: record.endAt });
      },
      observed: (state) => watcher?.listener.observed?.(state),
    };
  }

  private learn(row: number, record: JobRecord): void {
    if (this.reshaped.delete(row) || !hasRun(record)) return;
    const { user, processors, requestedWalltimeSeconds } = record;
    this.runs.learn(user, processors, requestedWalltimeSeconds ?? 0, ranSeconds(record));
  }

  private shape(arrival: Arrival): SimulatedJob {
    const { number, user, job } = arrival;
    this.decided = null;
    if (!this.options.isMolded(number, user)) return job;
    const { rule, strategy } = this.options;
    const runs = this.runs.sizesOf(user, this.options.mostSizes).filter((one) => one.processors !== job.processors);
    const own = this.ownOption(arrival);
    const others = runs.flatMap((one) => {
      const option = rule.optionAt(own, one, this.runs.longestWalltimeSeconds);
      return option ? [{ option, runs: one }] : [];
    });
    const options = [own, ...others.map(({ option }) => option)];
    const chosen = options.length === 1 ? own : strategy(options, { ...arrival, site: this.site, random: this.random });
    const other = others.find(({ option }) => option === chosen);
    this.decided = { option: chosen, isReshaped: other !== undefined };
    return other ? rule.reshape(job, other.option, other.runs, this.random) : job;
  }

  private ownOption({ user, queue, job: { processors, walltimeSeconds }, at }: Arrival): SizeOption {
    const request = { user, queue, processors, requestedWalltimeSeconds: walltimeSeconds };
    const runQuantileSeconds = this.options.expected?.percentilesOf(request, walltimeSeconds, at) ?? [];
    return { processors, walltimeSeconds, runQuantileSeconds };
  }
}
