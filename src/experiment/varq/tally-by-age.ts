import { DAY_SECONDS, type EpochSeconds } from '../../domain/clock.ts';
import type { ExperimentRow } from '../experiment.ts';
import type { ForeseenHolds } from './foresight.ts';
import type { VarqReservation } from './varq-reservation.ts';
import { type ReservationTally, VarqTally } from './varq-tally.ts';

/** All promises of a user, and those of a site's first days by themselves. */
export class TallyByAge implements ReservationTally {
  readonly all = new VarqTally();
  private readonly young = new VarqTally();

  /**
   * @param bornAt when the site was first seen
   * @param youngDays how long it counts as young; 0 for no such row
   */
  constructor(
    private readonly bornAt: EpochSeconds,
    private readonly youngDays: number,
  ) {}

  add(reservation: VarqReservation, forecast: number, holds?: ForeseenHolds): void {
    for (const tally of this.talliesAt(reservation.promisedAt)) tally.add(reservation, forecast, holds);
  }

  addRefusal(bestOffer: number, at: EpochSeconds): void {
    for (const tally of this.talliesAt(at)) tally.addRefusal(bestOffer);
  }

  addWithheld(at: EpochSeconds): void {
    for (const tally of this.talliesAt(at)) tally.addWithheld();
  }

  rows(name: string, promisedShare: number): ExperimentRow[] {
    const all = this.all.row(name, promisedShare);
    return this.youngDays === 0 ? [all] : [all, this.young.row(`${name}/first ${this.youngDays} days`, promisedShare)];
  }

  private talliesAt(at: EpochSeconds): VarqTally[] {
    return at - this.bornAt < this.youngDays * DAY_SECONDS ? [this.all, this.young] : [this.all];
  }
}
