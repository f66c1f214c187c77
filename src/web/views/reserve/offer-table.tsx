import type { ReactNode } from 'react';
import { PlainTable } from '../../ui/chart-frame.tsx';
import { formatProcessorHours, formatShare } from '../../ui/format.ts';
import { Moment } from '../../ui/moment.tsx';
import type { OfferRow } from './reserve.graphql.ts';

/** What each site would promise, the best one first. */
export function OfferTable({ offers, note }: { readonly offers: readonly OfferRow[]; readonly note: ReactNode }) {
  return (
    <section className="part" aria-label="Candidates">
      <div className="chart-bar">
        <h2>Candidates</h2>
        {note}
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
