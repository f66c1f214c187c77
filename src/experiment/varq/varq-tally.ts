import type { EpochSeconds } from '../../domain/clock.ts';
import { chargedFor } from '../../plan/reservation/life.ts';
import type { ExperimentRow } from '../experiment.ts';
import type { VarqReservation } from './varq-reservation.ts';

/** Who counts what becomes of the reservations of a user. */
export interface ReservationTally {
  /** Counts a reservation whose end is known. @param forecast its probability when it was promised */
  add(reservation: VarqReservation, forecast: number): void;
  /** @param bestOffer the highest probability there was */
  addRefusal(bestOffer: number, at: EpochSeconds): void;
  /** Counts a wish at a site that has left the range it is known in too lately. */
  addWithheld(at: EpochSeconds): void;
}

/** What became of some reservations. Charges in processor-seconds: the work of those kept, the padding of all. */
export class VarqTally implements ReservationTally {
  private accepted = 0;
  private kept = 0;
  private forecasts = 0;
  private refusals = 0;
  private withheld = 0;
  private releases = 0;
  private bestOffers = 0;
  private required = 0;
  private padding = 0;
  /** By tenths of the forecast probability when it was submitted or promised. */
  private readonly byTenth = Array.from({ length: 10 }, () => ({ count: 0, kept: 0, forecasts: 0 }));

  add({ state, charges, releases }: VarqReservation, forecast: number): void {
    const isKept = state === 'KEPT';
    this.accepted++;
    this.forecasts += forecast;
    const tenth = this.byTenth[Math.min(9, Math.floor(forecast * 10))];
    if (tenth) {
      tenth.count++;
      tenth.forecasts += forecast;
      if (isKept) tenth.kept++;
    }
    this.padding += chargedFor('PADDING', charges);
    this.releases += releases;
    if (!isKept) return;
    this.kept++;
    this.required += chargedFor('NEEDED', charges);
  }

  addRefusal(bestOffer: number): void {
    this.refusals++;
    this.bestOffers += bestOffer;
  }

  addWithheld(): void {
    this.withheld++;
  }

  /** A line of tables 2, 3 and 4. */
  row(name: string, promisedShare: number): ExperimentRow {
    const actual = this.kept / this.accepted;
    return {
      name,
      accepted: this.accepted,
      promisedShare,
      forecastShare: rounded(this.forecasts / this.accepted),
      actualShare: rounded(actual),
      twoStandardErrors: rounded(2 * Math.sqrt((actual * (1 - actual)) / this.accepted)),
      requiredProcessorHours: Math.round(this.required / 3600),
      usedProcessorHours: Math.round((this.required + this.padding) / 3600),
      chargeRatio: rounded((this.required + this.padding) / this.required),
      releases: this.releases,
      refusals: this.refusals,
      withheld: this.withheld,
      meanBestOffer: rounded(this.bestOffers / this.refusals),
    };
  }

  /** Share kept against the mean forecast, for each tenth that has some. */
  calibration(): [number, number][] {
    return this.byTenth.flatMap(({ count, kept, forecasts }): [number, number][] =>
      count < FEWEST_OF_A_TENTH ? [] : [[forecasts / count, kept / count]],
    );
  }
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

const FEWEST_OF_A_TENTH = 10;
