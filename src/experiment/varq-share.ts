import TinyQueue from 'tinyqueue';
import type { EpochSeconds } from '../domain/clock.ts';
import { aimedProbability, nextMargin, startingMargin } from '../plan/aim.ts';
import { holdPriceSeconds } from '../plan/price.ts';
import { latestPointReaching, mostProbablePoint } from '../plan/trajectory.ts';
import type { RandomStream } from '../sim/random.ts';
import type { Workload } from '../sim/workload.ts';
import { VarqReservation } from './varq-reservation.ts';
import type { VarqSite } from './varq-site.ts';
import { VarqTally } from './varq-tally.ts';

export interface ShareOptions {
  readonly probability: number;
  readonly recomputeSeconds: number;
  onProgress(doneJobs: number): void;
}

interface Promised {
  readonly reservation: VarqReservation;
  readonly forecast: number;
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
 * Asks for a reservation at the next six-hour mark for every drawn job when the log submits it; those refused are handed in as they
 * were. All aim at the same few moments, which is the worst case: table 4 of nurmi-varq.
 */
export function reserveShare(
  site: VarqSite,
  workload: Workload,
  drawn: ReadonlySet<number>,
  { probability, recomputeSeconds, onProgress }: ShareOptions,
): VarqTally {
  const tally = new VarqTally();
  const open = new TinyQueue<Promised>([], (a, b) => a.reservation.dueAt - b.reservation.dueAt);
  let margin = startingMargin(probability);

  const followUpTo = (at: EpochSeconds) => {
    for (let first = open.peek(); first && first.reservation.dueAt <= at; first = open.peek()) {
      open.pop();
      site.advanceTo(first.reservation.dueAt);
      first.reservation.next();
      if (first.reservation.isOpen) open.push(first);
      else {
        tally.add(first.reservation, first.forecast);
        margin = nextMargin(margin, { probability, kept: first.reservation.state === 'KEPT' });
      }
    }
  };

  for (const index of drawn) {
    const job = site.jobOfLog(index);
    if (!job) continue;
    const submitAt = workload.columns.submitAt[index] as number;
    followUpTo(submitAt);
    site.advanceTo(submitAt);
    const { processors, runSeconds } = job;
    const work = { processors, runSeconds, startAt: (Math.floor(submitAt / MARK_SECONDS) + 1) * MARK_SECONDS };
    const trajectory = site.trajectoryOf(work);
    const aim = aimedProbability(probability, margin);
    const point = latestPointReaching(trajectory, aim);
    if (point) {
      const terms = {
        work,
        point,
        probability,
        aimedProbability: aim,
        priceSeconds: holdPriceSeconds(trajectory, { probability, margin }),
        maxChargeProcessorSeconds: null,
        recomputeSeconds,
      };
      open.push({ reservation: new VarqReservation(site, terms, submitAt), forecast: point.probability });
    } else {
      tally.addRefusal(mostProbablePoint(trajectory)?.probability ?? 0);
      site.submitUnpromised(job);
    }
    onProgress(index);
  }
  followUpTo(Number.POSITIVE_INFINITY);
  return tally;
}

const MARK_SECONDS = 21_600;
