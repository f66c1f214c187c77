import type { EpochSeconds } from '../../domain/clock.ts';
import { chargedFor } from '../../plan/reservation/life.ts';
import { twoStandardErrors } from '../../stats/two-standard-errors.ts';
import type { ExperimentRow } from '../experiment.ts';
import { ForeseenChargesTally } from './foreseen-charges.ts';
import type { ForeseenHolds } from './foresight.ts';
import type { VarqReservation } from './varq-reservation.ts';

/** Who counts what becomes of the reservations of a user. */
export interface ReservationTally {
  /**
   * Counts a reservation whose end is known.
   * @param forecast its probability when it was promised
   * @param holds what it would have held at other submission times; absent where nobody watched
   */
  add(reservation: VarqReservation, forecast: number, holds?: ForeseenHolds): void;
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
  private submittedProbabilities = 0;
  private refusals = 0;
  private withheld = 0;
  private releases = 0;
  private bestOffers = 0;
  private required = 0;
  private padding = 0;
  private readonly foreseen = new ForeseenChargesTally();
  /** By tenths of the forecast probability when it was submitted or promised. */
  private readonly byTenth = Array.from({ length: 10 }, () => ({ count: 0, kept: 0, forecasts: 0 }));

  add(
    { state, charges, releases, submittedProbability, terms }: VarqReservation,
    forecast: number,
    holds?: ForeseenHolds,
  ) {
    const isKept = state === 'KEPT';
    this.submittedProbabilities += submittedProbability;
    if (holds) this.foreseen.add(terms.work, holds);
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
      submittedShare: rounded(this.submittedProbabilities / this.accepted),
      actualShare: rounded(actual),
      twoStandardErrors: rounded(twoStandardErrors(actual, this.accepted)),
      requiredProcessorHours: Math.round(this.required / 3600),
      usedProcessorHours: Math.round((this.required + this.padding) / 3600),
      chargeRatio: rounded(this.chargeRatio),
      ...this.bounds(),
      releases: this.releases,
      refusals: this.refusals,
      withheld: this.withheld,
      meanBestOffer: rounded(this.bestOffers / this.refusals),
    };
  }

  private get chargeRatio(): number {
    return (this.required + this.padding) / this.required;
  }

  /** Beside what others would have been charged, how far we came from submitting at once to knowing the waits. */
  private bounds(): Record<string, number> {
    if (this.foreseen.size === 0) return {};
    const { keepableShare, clairvoyantChargeRatio: least, atOnceChargeRatio: most } = this.foreseen.charges(this.kept);
    return {
      keepableShare: rounded(keepableShare),
      clairvoyantChargeRatio: rounded(least),
      atOnceChargeRatio: rounded(most),
      savingReached: rounded((most - this.chargeRatio) / (most - least)),
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
