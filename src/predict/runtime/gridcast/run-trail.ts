import { median, standardDeviation } from 'simple-statistics';
import type { EpochSeconds } from '../../../domain/clock.ts';
import { keepClass } from '../../../domain/kept-classes.ts';

/**
 * What is known of the jobs of one group: the runtimes of those that ended, how many wait, and since when the others
 * run. O(1) for each fact.
 */
export class RunTrail {
  /** Jobs that ended. */
  ended = 0;
  /** Exponentially weighted means; not-a-number before the first end. */
  meanLogSeconds = Number.NaN;
  meanShare = Number.NaN;
  /** Of jobs that ended within two minutes. */
  quickShare = Number.NaN;
  /** Jobs in a row, up to the last one that ended, that did so within two minutes. */
  quickInARow = 0;
  lastEndAt: EpochSeconds = Number.NaN;
  lastSubmitAt: EpochSeconds = Number.NaN;
  submissions = 0;
  waiting = 0;
  /** Null as long as none ran: of most groups nobody counts who runs. */
  private startAts: Map<string, EpochSeconds> | null = null;
  private sumOfStartAts = 0;
  /** Of the last jobs, the newest last: its seconds, then its share. */
  private runs: readonly number[] = [];

  submit(at: EpochSeconds): void {
    this.lastSubmitAt = at;
    this.submissions++;
    this.waiting++;
  }

  /** @param name of the job, its own within the group */
  start(name: string, at: EpochSeconds): void {
    this.end(name);
    this.startAts ??= new Map();
    this.startAts.set(name, at);
    this.sumOfStartAts += at;
    const oldest = this.startAts.size > MOST_RUNNING ? this.startAts.keys().next().value : undefined;
    if (oldest !== undefined) this.end(oldest);
  }

  end(name: string): void {
    const startAt = this.startAts?.get(name);
    if (startAt === undefined) return;
    this.startAts?.delete(name);
    this.sumOfStartAts -= startAt;
    if (this.startAts?.size === 0) this.startAts = null;
  }

  /** @param share of its walltime that the job ran */
  learn(seconds: number, share: number, endAt: EpochSeconds): void {
    const step = Math.max(STEP, 1 / ++this.ended);
    this.meanLogSeconds = towards(this.meanLogSeconds, Math.log1p(seconds), step);
    this.meanShare = towards(this.meanShare, share, step);
    this.quickShare = towards(this.quickShare, seconds < QUICK_SECONDS ? 1 : 0, step);
    this.quickInARow = seconds < QUICK_SECONDS ? this.quickInARow + 1 : 0;
    this.lastEndAt = endAt;
    this.runs = [...(this.runs.length === RUNS_KEPT * RUN ? this.runs.slice(RUN) : this.runs), seconds, share];
  }

  get running(): number {
    return this.startAts?.size ?? 0;
  }

  /** How long the one has run that runs longest; not-a-number where none runs. */
  longestElapsedSeconds(at: EpochSeconds): number {
    const [oldest] = this.startAts?.values() ?? [];
    return oldest === undefined ? Number.NaN : at - oldest;
  }

  /** How long those have run that run, on average; not-a-number where none runs. */
  meanElapsedSeconds(at: EpochSeconds): number {
    return at - this.sumOfStartAts / this.running;
  }

  /** Runtime of the job that ended so many jobs ago, 1 for the last; not-a-number where there is none. */
  runSeconds(ago: number): number {
    return this.runs.at(-ago * RUN) ?? Number.NaN;
  }

  lastShare(): number {
    return this.runs.at(-1) ?? Number.NaN;
  }

  /** The last runtimes in short; null where there are none. */
  recent(): RecentRuns | null {
    if (this.runs.length === 0) return null;
    const seconds = this.runs.filter((_, i) => i % RUN === 0);
    const shares = this.runs.filter((_, i) => i % RUN === 1);
    return {
      medianSeconds: median(seconds),
      leastSeconds: Math.min(...seconds),
      mostSeconds: Math.max(...seconds),
      deviationOfLogs: seconds.length === 1 ? Number.NaN : standardDeviation(seconds.map(Math.log1p)),
      leastShare: Math.min(...shares),
      mostShare: Math.max(...shares),
      wholeShare: shares.filter((share) => share > WHOLE).length / shares.length,
    };
  }
}

/** The last jobs of a group that ended, at most ten. */
export interface RecentRuns {
  readonly medianSeconds: number;
  readonly leastSeconds: number;
  readonly mostSeconds: number;
  /** Standard deviation of the logarithms of seconds; not-a-number of one job. */
  readonly deviationOfLogs: number;
  /** The least and the most that one of them ran of its walltime. */
  readonly leastShare: number;
  readonly mostShare: number;
  /** Of those that ran nearly all of their walltime. */
  readonly wholeShare: number;
}

function towards(mean: number, value: number, step: number): number {
  return Number.isNaN(mean) ? value : mean + step * (value - mean);
}

const STEP = 0.2;
const QUICK_SECONDS = 120;
const RUNS_KEPT = 10;
/** Numbers of a run. */
const RUN = 2;
const WHOLE = 0.97;
/** Of a group; a job whose end is never told must not stay for ever. */
const MOST_RUNNING = 5000;

keepClass(RunTrail);
