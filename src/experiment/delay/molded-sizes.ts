import type { EpochSeconds } from '../../domain/clock.ts';
import { type EndedRecord, hasRun, ranSeconds } from '../../domain/job.ts';
import type { RunningJob, WaitingJob } from '../../domain/snapshot.ts';
import { gainScores } from '../../plan/job/gain-score.ts';
import { gapFor, planLoad, type SiteLoad } from '../../predict/wait/site-load.ts';
import { nativeIdOf } from '../../sim/cluster-snapshot.ts';
import type { SimulatedJob } from '../../sim/job-table.ts';
import { RandomStream } from '../../sim/random.ts';
import type { ReplayedSite } from '../../sim/replayed-site.ts';
import type { Arrival } from '../../sim/submission-hook.ts';
import { DRAWN, type SizeOption } from '../molding/runtime-rules.ts';
import { type RunsAtSize, UserRuns } from '../molding/user-runs.ts';
import type { JobRange } from './delay-figures.ts';
import type { DelayJudge } from './delayed-submissions.ts';
import type { ForecastRuntimes } from './job-runtimes.ts';

/** A size that a job may be given, and when it would end then. */
interface Ending extends SizeOption {
  /** Null for the job's own size. */
  readonly runs: RunsAtSize | null;
  readonly responseSeconds: number;
  readonly quantileSeconds: readonly number[];
}

/**
 * Sizes by the gain score, from those that users have run before, as in section VI-C of
 * hariharan-end-to-end-predictions: the runtime at another size is drawn from the user's own there. Waits are those of
 * a plan of the queue. What is drawn for a job at a size is the same in every schedule.
 */
export class MoldedSizes {
  private readonly runs = new UserRuns();
  /** Jobs that were given a size: they teach nothing of what users choose. */
  private readonly reshaped = new Set<string>();

  constructor(
    private readonly runtimes: ForecastRuntimes,
    private readonly range: JobRange,
    private readonly seed: number,
  ) {}

  /** To be told of every end. */
  ended(record: EndedRecord): void {
    if (this.reshaped.delete(record.nativeId) || !hasRun(record)) return;
    const { user, processors, requestedWalltimeSeconds } = record;
    this.runs.learn(user, processors, requestedWalltimeSeconds ?? 0, ranSeconds(record));
  }

  /** The job as it is handed in now. */
  shape(arrival: Arrival, site: ReplayedSite): SimulatedJob {
    const { number, job } = arrival;
    if (number < this.range.from || number >= this.range.to) return job;
    const best = this.bestAt(arrival, this.loadOf(site), arrival.at);
    if (best.runs === null) return job;
    this.reshaped.add(nativeIdOf(site.cluster.table.length));
    return DRAWN.reshape(job, best, best.runs, new RandomStream(this.seed * DRAWS_APART + number));
  }

  /** Compares the best size now with the best one later. */
  judge(base: DelayJudge): DelayJudge {
    return {
      ...base,
      responses: (arrival, site, laterAt) => {
        const load = this.loadOf(site);
        return {
          atOnceSeconds: this.bestAt(arrival, load, arrival.at).responseSeconds,
          delayedSeconds: this.bestAt(arrival, load, laterAt).responseSeconds,
        };
      },
    };
  }

  private bestAt(arrival: Arrival, load: SiteLoad, submitAt: EpochSeconds): Ending {
    const endings = this.optionsOf(arrival).map(({ runs, ...option }) => {
      const runSeconds = meanOf(option.runQuantileSeconds);
      const { startAt } = gapFor(load, option.processors, runSeconds, submitAt);
      const waitSeconds = startAt - arrival.at;
      const quantileSeconds = option.runQuantileSeconds.map((seconds) => waitSeconds + seconds);
      return { ...option, runs, responseSeconds: waitSeconds + runSeconds, quantileSeconds };
    });
    const scores = gainScores(endings);
    return endings[scores.indexOf(Math.max(...scores))] as Ending;
  }

  private optionsOf(arrival: Arrival): (SizeOption & { readonly runs: RunsAtSize | null })[] {
    const { user, job } = arrival;
    const { processors, walltimeSeconds } = job;
    const own = { processors, walltimeSeconds, runQuantileSeconds: this.runtimes.percentilesOf(arrival) };
    const others = this.runs.sizesOf(user, MOST_SIZES).filter((one) => one.processors !== processors);
    return [
      { ...own, runs: null },
      ...others.flatMap((runs) => {
        const option = DRAWN.optionAt(own, runs, this.runs.longestWalltimeSeconds);
        return option ? [{ ...option, runs }] : [];
      }),
    ];
  }

  private loadOf(site: ReplayedSite): SiteLoad {
    return planLoad(site.snapshot(), (job: WaitingJob | RunningJob) => this.runtimes.ofJob(job, site));
  }
}

function meanOf(seconds: readonly number[]): number {
  return seconds.reduce((sum, one) => sum + one, 0) / seconds.length;
}

const MOST_SIZES = 8;
/** More than jobs of any log. */
const DRAWS_APART = 10_000_019;
