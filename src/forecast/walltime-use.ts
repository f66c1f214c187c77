import { hasStarted, type JobRecord } from '../domain/job.ts';

/** Which shares of their requested walltimes the jobs of a site used that ended last. */
export class WalltimeUse {
  private readonly newest: number[] = [];
  private next = 0;
  private slices: readonly number[] | null = null;

  /** Takes in a job that ended; one that did not, or requested no walltime, tells nothing. */
  add(record: JobRecord): void {
    const { endAt, requestedWalltimeSeconds } = record;
    if (!hasStarted(record) || endAt === null || !requestedWalltimeSeconds) return;
    this.newest[this.next] = Math.min(1, (endAt - record.startAt) / requestedWalltimeSeconds);
    this.next = (this.next + 1) % KEPT_JOBS;
    this.slices = null;
  }

  /** The middles of ten slices of equal probability, ascending; the whole walltime while fewer than ten jobs have ended. */
  get shares(): readonly number[] {
    this.slices ??= this.newest.length < SLICES ? WHOLE : middles([...this.newest].sort((a, b) => a - b));
    return this.slices;
  }
}

function middles(sorted: readonly number[]): number[] {
  return Array.from({ length: SLICES }, (_, slice) => {
    return sorted[Math.floor(((slice + 0.5) / SLICES) * sorted.length)] as number;
  });
}

const KEPT_JOBS = 200;
const SLICES = 10;
const WHOLE: readonly number[] = [1];
