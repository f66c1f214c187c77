import type { EpochSeconds } from '../../domain/clock.ts';
import { nextMargin, startingMargin } from '../../plan/aim.ts';
import { type Actor, Agenda } from '../../sim/agenda.ts';
import type { JobCard } from '../../sim/job-source.ts';
import type { SimulatedJob } from '../../sim/job-table.ts';
import { LoggedJobs } from '../../sim/logged-jobs.ts';
import type { RandomStream } from '../../sim/random.ts';
import type { Workload } from '../../sim/workload.ts';
import { askFor, type VarqPromise } from './varq-promise.ts';
import type { VarqSite } from './varq-site.ts';
import { VarqTally } from './varq-tally.ts';

export interface ShareOptions {
  readonly probability: number;
  readonly recomputeSeconds: number;
  /** Most that holding may be expected to cost, in multiples of the own work; any unless told. */
  readonly paddingCap?: number;
  /** When the work of a job is to start that is submitted then; at the next six-hour mark unless told. */
  startOf?(submitAt: EpochSeconds): EpochSeconds;
  onProgress(doneJobs: number): void;
}

/** Draws the jobs of a log that become reservations, each with the chance `share`, from the job `fromJob` on. */
export function drawReserved(workload: Workload, share: number, fromJob: number, random: RandomStream): Set<number> {
  const drawn = new Set<number>();
  for (let index = 0; index < workload.length; index++) {
    const isDrawn = random.uniform() < share;
    if (isDrawn && index >= fromJob) drawn.add(index);
  }
  return drawn;
}

/**
 * Asks for a reservation for every drawn job when the log submits it; those refused are handed in as they were. At the
 * next six-hour mark all aim at the same few moments, which is the worst case: table 4 of nurmi-varq.
 */
export function reserveShare(
  site: VarqSite,
  workload: Workload,
  drawn: ReadonlySet<number>,
  options: ShareOptions,
): VarqTally {
  const asked = new ShareReservations(site, options);
  const logged = new LoggedJobs(workload, site.processors);
  for (const index of drawn) {
    const job = logged.jobAt(index);
    if (!job) continue;
    asked.ask(job, logged.cardOf(index));
    options.onProgress(index);
  }
  asked.followUpTo(Number.POSITIVE_INFINITY);
  return asked.tally;
}

/** The reservations of the drawn jobs at one site, each followed until it is known whether it was kept. */
class ShareReservations {
  readonly tally = new VarqTally();
  /**
   * Of the many that are due at one mark, another order is another run: this is the one that the figures were made
   * with.
   */
  private readonly open = new Agenda([], 'unsettled');
  private margin: number;

  constructor(
    private readonly site: VarqSite,
    private readonly options: ShareOptions,
  ) {
    this.margin = startingMargin(options.probability);
  }

  /** Does all that is due up to and including `at`. */
  followUpTo(at: EpochSeconds): void {
    for (let next = this.open.nextAt; next <= at && next < Number.POSITIVE_INFINITY; next = this.open.nextAt) {
      this.site.advanceTo(next);
      this.open.next();
    }
  }

  /** Asks for a reservation of somebody's job at the moment at which the log submits it. */
  ask(job: SimulatedJob, card: JobCard): void {
    const { submitAt, processors, runSeconds } = job;
    this.followUpTo(submitAt);
    this.site.advanceTo(submitAt);
    const { probability, recomputeSeconds, paddingCap = 0, startOf = nextMark } = this.options;
    const startAt = startOf(submitAt);
    const wish = {
      work: { processors, runSeconds, startAt },
      probability,
      margin: this.margin,
      cap: 0,
      paddingCap,
      recomputeSeconds,
    };
    const promised = askFor(this.site, wish, this.tally);
    if (promised) this.open.add(this.followed(promised));
    else this.site.submitUnpromised(job, card);
  }

  private followed(promise: VarqPromise): Actor {
    const { reservation } = promise;
    return {
      get dueAt() {
        return reservation.dueAt;
      },
      next: () => {
        reservation.next();
        if (!reservation.isOpen) this.settle(promise);
      },
    };
  }

  private settle({ reservation, forecast }: VarqPromise): void {
    const { probability } = this.options;
    this.tally.add(reservation, forecast);
    this.margin = nextMargin(this.margin, { probability, kept: reservation.state === 'KEPT' });
  }
}

function nextMark(submitAt: EpochSeconds): EpochSeconds {
  return (Math.floor(submitAt / MARK_SECONDS) + 1) * MARK_SECONDS;
}

const MARK_SECONDS = 21_600;
