import { DAY_SECONDS, type EpochSeconds } from '../../domain/clock.ts';
import { chargedFor } from '../../plan/reservation/life.ts';
import { twoStandardErrors } from '../../stats/two-standard-errors.ts';
import type { ExperimentRow } from '../experiment.ts';
import type { VarqReservation } from '../varq/varq-reservation.ts';
import type { ReservationTally } from '../varq/varq-tally.ts';

interface DayCount {
  accepted: number;
  promised: number;
  kept: number;
  refused: number;
  withheld: number;
  required: number;
  padding: number;
}

/** What became of reservations by the day on which they were asked for, the first apart from all others. */
export class DriftTally implements ReservationTally {
  private readonly days: DayCount[] = [];

  /** @param leadSeconds how long before their start reservations are asked for */
  constructor(
    private readonly beginsAt: EpochSeconds,
    private readonly leadSeconds: number,
  ) {}

  add({ state, terms, charges }: VarqReservation): void {
    const day = this.dayOf(terms.work.startAt - this.leadSeconds);
    day.accepted++;
    day.promised += terms.probability;
    day.padding += chargedFor('PADDING', charges);
    if (state !== 'KEPT') return;
    day.kept++;
    day.required += chargedFor('NEEDED', charges);
  }

  addRefusal(_bestOffer: number, at: EpochSeconds): void {
    this.dayOf(at).refused++;
  }

  addWithheld(at: EpochSeconds): void {
    this.dayOf(at).withheld++;
  }

  /** Every day, and those from the second on together. */
  rows(name: string): ExperimentRow[] {
    const days = Array.from(this.days, (day) => day ?? emptyDay());
    return [
      rowOf(`${name} days 2..`, days.slice(1).reduce(sumOf, emptyDay())),
      ...days.map((day, i) => rowOf(`${name} day ${i + 1}`, day)),
    ];
  }

  private dayOf(at: EpochSeconds): DayCount {
    const number = Math.max(0, Math.floor((at - this.beginsAt) / DAY_SECONDS));
    const day = this.days[number] ?? emptyDay();
    this.days[number] = day;
    return day;
  }
}

function rowOf(
  name: string,
  { accepted, promised, kept, refused, withheld, required, padding }: DayCount,
): ExperimentRow {
  const share = kept / accepted;
  const promisedShare = promised / accepted;
  return {
    name,
    accepted,
    promisedShare: rounded(promisedShare),
    keptShare: rounded(share),
    twoStandardErrors: rounded(twoStandardErrors(promisedShare, accepted)),
    shortfall: rounded(Math.max(0, promisedShare - share)),
    refused,
    withheld,
    chargeRatio: rounded((required + padding) / required),
  };
}

function sumOf(a: DayCount, b: DayCount): DayCount {
  return {
    accepted: a.accepted + b.accepted,
    promised: a.promised + b.promised,
    kept: a.kept + b.kept,
    refused: a.refused + b.refused,
    withheld: a.withheld + b.withheld,
    required: a.required + b.required,
    padding: a.padding + b.padding,
  };
}

function emptyDay(): DayCount {
  return { accepted: 0, promised: 0, kept: 0, refused: 0, withheld: 0, required: 0, padding: 0 };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
