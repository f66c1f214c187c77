import { median } from 'simple-statistics';
import type { JobRequest, Submission } from '../../../domain/job.ts';
import { keepClass } from '../../../domain/kept-classes.ts';

/** What became of the last job that a user submitted. */
export type LastJob =
  | { readonly state: 'waits' }
  | { readonly state: 'runs'; readonly startAt: number }
  | { readonly state: 'ended'; readonly runSeconds: number };

/** A job that ended, as a point among a user's others. */
interface NearRun {
  readonly logProcessors: number;
  readonly logWalltime: number;
  readonly logSeconds: number;
  readonly share: number;
}

/** The most alike of a user's jobs that ended. */
export interface NearRuns {
  readonly meanLogSeconds: number;
  readonly meanShare: number;
  readonly medianShare: number;
  /** Of the fifth, in doublings of size, walltimes and jobs ago. */
  readonly distance: number;
}

/** What a user submitted lately, and which of it is most like a new job. */
export class UserTrail {
  private last: { readonly name: string; readonly request: JobRequest; fate: LastJob } | null = null;
  private readonly walltimes: (number | null)[] = [];
  private readonly runs: NearRun[] = [];

  submitted(job: Submission, name: string): void {
    this.last = { name, request: job, fate: { state: 'waits' } };
    this.walltimes.push(job.requestedWalltimeSeconds);
    if (this.walltimes.length > WALLTIMES_KEPT) this.walltimes.shift();
  }

  started(name: string, startAt: number): void {
    if (this.last?.name === name) this.last.fate = { state: 'runs', startAt };
  }

  ended(job: JobRequest, name: string, runSeconds: number, share: number): void {
    if (this.last?.name === name) this.last.fate = { state: 'ended', runSeconds };
    this.runs.push({ ...placeOf(job), logSeconds: Math.log1p(runSeconds), share });
    if (this.runs.length > RUNS_KEPT) this.runs.shift();
  }

  /** The last job that was submitted, with what became of it; null before the first. */
  get lastJob(): { readonly request: JobRequest; readonly fate: LastJob } | null {
    return this.last;
  }

  /** Share of the last ten submissions that requested as much; not-a-number before the first. */
  shareOfWalltime({ requestedWalltimeSeconds }: JobRequest): number {
    return this.walltimes.filter((walltime) => walltime === requestedWalltimeSeconds).length / this.walltimes.length;
  }

  /** The five jobs that are most like one, by size, walltime and how long ago they ended; null before the first. */
  nearTo(job: JobRequest): NearRuns | null {
    if (this.runs.length === 0) return null;
    const place = placeOf(job);
    const ranked = this.runs
      .map((run, i) => ({ run, distance: distanceBetween(place, run) + (this.runs.length - i) * AGE_STEP }))
      .sort((a, b) => a.distance - b.distance)
      .slice(0, NEAREST);
    const shares = ranked.map(({ run }) => run.share);
    return {
      meanLogSeconds: ranked.reduce((sum, { run }) => sum + run.logSeconds, 0) / ranked.length,
      meanShare: shares.reduce((sum, share) => sum + share, 0) / ranked.length,
      medianShare: median(shares),
      distance: ranked.at(-1)?.distance ?? Number.NaN,
    };
  }
}

type Place = Pick<NearRun, 'logProcessors' | 'logWalltime'>;

function placeOf({ processors, requestedWalltimeSeconds }: JobRequest): Place {
  return {
    logProcessors: Math.log2(Math.max(1, processors)),
    logWalltime: Math.log(Math.max(1, requestedWalltimeSeconds ?? 1)),
  };
}

function distanceBetween(a: Place, b: Place): number {
  return Math.abs(a.logProcessors - b.logProcessors) + Math.abs(a.logWalltime - b.logWalltime);
}

const WALLTIMES_KEPT = 10;
const RUNS_KEPT = 60;
const NEAREST = 5;
const AGE_STEP = 0.02;

keepClass(UserTrail);
