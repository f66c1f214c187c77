import type { ReactNode } from 'react';
import { PlainTable } from '../../ui/chart-frame.tsx';
import type { Cell } from '../../ui/csv.ts';
import { CsvButton } from '../../ui/csv-button.tsx';
import { formatExactMoment, formatProcessorHours, formatShare } from '../../ui/format.ts';
import { Moment } from '../../ui/moment.tsx';
import type { OfferRow } from './reserve.graphql.ts';

/** What each site would promise, the best one first. */
export function OfferTable({ offers, note }: { readonly offers: readonly OfferRow[]; readonly note: ReactNode }) {
  return (
    <section className="part" aria-label="Candidates">
      <div className="chart-bar">
        <h2>Candidates</h2>
        {note}
        <span className="spread" />
        <CsvButton title="Candidates" headings={OFFER_HEADINGS} rows={offers.map(offerCells)} />
      </div>
      <PlainTable
        label="Offers by site"
        headings={['Site', 'Promises', 'Submitted at', 'Own work', 'Padding expected', 'At worst', 'Verdict']}
        numbers={[1, 3, 4, 5]}
        rows={offers.map((offer, index) => [
          <bdi key="site">{offer.site.name}</bdi>,
          promiseOf(offer),
          offer.kind === 'PROMISE' && offer.point ? <Moment key="at" at={offer.point.submitAt} /> : '',
          ...chargeCells(offer),
          <span key="why">
            {offer.kind === 'REFUSAL' ? <bdi>{offer.reason}</bdi> : index === 0 ? <strong>costs least</strong> : ''}
            {offer.outsideKnownRange && <span className="warning"> {offer.outsideKnownRange.explanation}</span>}
          </span>,
        ])}
      />
    </section>
  );
}

/** Columns of offers in a file. */
export const OFFER_HEADINGS = [
  ...['site', 'kind', 'probability', 'submitted at', 'own work, processor-seconds'],
  ...['expected padding, processor-seconds', 'worst padding, processor-seconds', 'reason'],
];

/** An offer as a row of a file. */
export function offerCells(offer: OfferRow | undefined): Cell[] {
  if (!offer) return [];
  const { site, kind, promisedProbability, point, charge, reason } = offer;
  return [
    ...[site.name, kind, promisedProbability, kind === 'PROMISE' && point ? formatExactMoment(point.submitAt) : null],
    ...[charge?.neededProcessorSeconds ?? null, charge?.expectedPaddingProcessorSeconds ?? null],
    ...[charge?.worstPaddingProcessorSeconds ?? null, reason],
  ];
}

/** What an offer promises, or would at most. */
export function promiseOf({ kind, promisedProbability }: OfferRow): string {
  return kind === 'PROMISE' ? formatShare(promisedProbability, 1) : `at most ${formatShare(promisedProbability, 1)}`;
}

/** Its own work and its padding, expected and at worst; nothing where nothing is promised. */
export function chargeCells({ charge }: OfferRow): string[] {
  if (!charge) return ['', '', ''];
  const { neededProcessorSeconds, expectedPaddingProcessorSeconds, worstPaddingProcessorSeconds } = charge;
  return [neededProcessorSeconds, expectedPaddingProcessorSeconds, worstPaddingProcessorSeconds].map(
    formatProcessorHours,
  );
}
