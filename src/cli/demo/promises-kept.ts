import type { ChargeAnswer } from '../client/answers.ts';
import { percent } from '../render/objects.ts';
import { renderTable } from '../render/table.ts';
import type { AskedSlot } from './ask-reservations.ts';

/** A reservation as the report needs it. */
export interface DecidedReservation {
  readonly id: string;
  readonly state: string;
  readonly probability: number;
  readonly promisedProbability: number;
  readonly site: { readonly name: string } | null;
  readonly charges: readonly ChargeAnswer[];
  readonly job: { readonly state: string };
}

/** Promised beside kept, over the reservations that share a site or a probability. */
export interface PromiseRow {
  readonly group: string;
  readonly refused: number;
  readonly decided: number;
  readonly kept: number;
  /** Mean probability that was promised. */
  readonly promisedShare: number | null;
  readonly keptShare: number | null;
  /** Processor-seconds charged for each that was needed, over those that were kept. */
  readonly chargeRatio: number | null;
}

/** The rows of the report: by probability, by site, and all together. */
export function tabulate(reservations: readonly DecidedReservation[], slots: readonly AskedSlot[]): PromiseRow[] {
  const refused = slots.flatMap((slot) => slot.refused);
  const probabilities = unique(reservations.map(({ probability }) => probability)).sort((a, b) => a - b);
  const sites = unique(reservations.map(({ site }) => site?.name ?? '')).sort();
  return [
    ...probabilities.map((probability) =>
      rowOf(
        `asked for ${percent(probability)}`,
        reservations.filter((one) => one.probability === probability),
        refused.filter((one) => one.probability === probability).length,
      ),
    ),
    ...sites.map((site) =>
      rowOf(
        `at ${site}`,
        reservations.filter((one) => one.site?.name === site),
        refused.filter((one) => one.site === site).length,
      ),
    ),
    rowOf('all', reservations, refused.length),
  ];
}

function rowOf(group: string, reservations: readonly DecidedReservation[], refused: number): PromiseRow {
  const decided = reservations.filter(({ state }) => state === 'KEPT' || state === 'MISSED');
  const kept = decided.filter(({ state }) => state === 'KEPT');
  const needed = sumOf(kept, 'NEEDED');
  return {
    group,
    refused,
    decided: decided.length,
    kept: kept.length,
    promisedShare: share(
      decided.reduce((sum, { promisedProbability }) => sum + promisedProbability, 0),
      decided.length,
    ),
    keptShare: share(kept.length, decided.length),
    chargeRatio: share(needed + sumOf(kept, 'PADDING'), needed),
  };
}

function sumOf(reservations: readonly DecidedReservation[], kind: string): number {
  return reservations
    .flatMap(({ charges }) => charges)
    .filter((charge) => charge.kind === kind)
    .reduce((sum, { processorSeconds }) => sum + processorSeconds, 0);
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

/** The report as a table. */
export function renderPromises(rows: readonly PromiseRow[]): string {
  return renderTable(
    ['reservations', 'refused first', 'promised', 'kept', 'promised to keep', 'kept', 'charge / needed'],
    rows.map((row) => [
      row.group,
      row.refused,
      row.decided,
      row.kept,
      row.promisedShare === null ? null : percent(row.promisedShare),
      row.keptShare === null ? null : percent(row.keptShare),
      row.chargeRatio === null ? null : row.chargeRatio.toFixed(2),
    ]),
  );
}
