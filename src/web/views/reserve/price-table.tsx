import { useAnswer } from '../../api/use-answer.ts';
import { isOutdated } from '../../api/use-live.ts';
import { PlainTable } from '../../ui/chart-frame.tsx';
import { CsvButton } from '../../ui/csv-button.tsx';
import { formatShare } from '../../ui/format.ts';
import { Moment } from '../../ui/moment.tsx';
import { Failure } from '../../ui/notice.tsx';
import type { ReserveTerms } from './form.ts';
import { chargeCells, OFFER_HEADINGS, offerCells, promiseOf } from './offer-table.tsx';
import { PRICES } from './reserve.graphql.ts';

const LEVELS = { half: 0.5, eighty: 0.8, ninety: 0.9, surest: 0.95 } as const;

/** What more certainty, or less, would cost. */
export function PriceTable({ terms }: { readonly terms: ReserveTerms }) {
  const at = (probability: number) => ({ ...terms, probability });
  const { half, eighty, ninety, surest } = LEVELS;
  const variables = { half: at(half), eighty: at(eighty), ninety: at(ninety), surest: at(surest) };
  const [result] = useAnswer({ query: PRICES, variables });
  const { data, error } = result;
  if (error && !data) return <Failure error={error} />;
  if (!data) return null;
  const offers = [data.half, data.eighty, data.ninety, data.surest];
  return (
    <section className="part" aria-label="The price of certainty" aria-busy={isOutdated(result, variables)}>
      <div className="chart-bar">
        <h2>The price of certainty</h2>
        <span className="spread" />
        <CsvButton
          title="The price of certainty"
          headings={['asked for', ...OFFER_HEADINGS]}
          rows={Object.values(LEVELS).map((level, index) => [level, ...offerCells(offers[index])])}
        />
      </div>
      <PlainTable
        label="Prices"
        headings={['Asked for', 'Promised', 'Site', 'Submitted at', 'Own work', 'Padding expected', 'At worst']}
        numbers={[0, 1, 4, 5, 6]}
        rows={Object.values(LEVELS).map((level, index) => {
          const offer = offers[index];
          if (!offer) return [formatShare(level)];
          return [
            formatShare(level),
            promiseOf(offer),
            <bdi key="site">{offer.site.name}</bdi>,
            offer.kind === 'PROMISE' && offer.point ? <Moment key="at" at={offer.point.submitAt} /> : 'refused',
            ...chargeCells(offer),
          ];
        })}
      />
    </section>
  );
}
