import { useState } from 'react';
import { useLive } from '../../api/use-live.ts';
import { PlainTable } from '../../ui/chart-frame.tsx';
import { CsvButton } from '../../ui/csv-button.tsx';
import { formatCount, formatSeconds, formatShare } from '../../ui/format.ts';
import { Age } from '../../ui/moment.tsx';
import { Failure } from '../../ui/notice.tsx';
import { DayCharts } from './day-charts.tsx';
import { ReliabilityChart } from './reliability-chart.tsx';
import { SITE_RECORD, type SiteRecord, THIS_SITE_CHANGED } from './site.graphql.ts';

const CALM_MILLISECONDS = 30_000;

/** How true came what was forecast and promised at a site: all in all, by what was stated, and day by day. */
export function ScoreCard({ id }: { readonly id: string }) {
  const changes = { query: THIS_SITE_CHANGED, variables: { id }, calmMilliseconds: CALM_MILLISECONDS };
  const { data, error, readAt } = useLive(SITE_RECORD, { id }, changes);
  const [chosen, setChosen] = useState('wait');
  if (error && !data) return <Failure error={error} />;
  const site = data?.site;
  if (!site) return null;
  const quantities = [...new Set([...site.scores, ...site.reliability].map(({ quantity }) => quantity))];
  const quantity = quantities.includes(chosen) ? chosen : quantities[0];
  const of = <Row extends { readonly quantity: string }>(rows: readonly Row[]) =>
    rows.filter((row) => row.quantity === quantity);
  return (
    <section className="part" aria-label="How true it came">
      <div className="chart-bar">
        <h2>How true it came</h2>
        <Age at={readAt} />
        <span className="spread" />
        <CsvButton title="Scores" headings={HEADINGS} rows={site.scores.map(cellsOf)} />
      </div>
      {quantity === undefined ? (
        <p className="muted">No forecast has been put to the test yet: that takes jobs that went there and ended.</p>
      ) : (
        <>
          <Scores scores={site.scores} />
          <label>
            Of{' '}
            <select value={quantity} onChange={({ target }) => setChosen(target.value)}>
              {quantities.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          <ReliabilityChart quantity={quantity} points={of(site.reliability)} />
          <DayCharts quantity={quantity} days={site.scoreDays} />
        </>
      )}
    </section>
  );
}

const HEADINGS = [
  ...['quantity', 'predictor', 'scored', 'mean error, seconds', 'mean error, bytes', 'mean error, processors'],
  ...['within 95 % bound', 'promises', 'promised', 'kept', 'brier'],
];

function cellsOf(score: SiteRecord['scores'][number]) {
  return [
    ...[score.quantity, score.predictor, score.count, score.meanAbsoluteErrorSeconds, score.meanAbsoluteErrorBytes],
    ...[score.meanAbsoluteErrorProcessors, score.coverage95, score.promises, score.promisedProbability],
    ...[score.keptShare, score.brierScore],
  ];
}

function Scores({ scores }: Pick<SiteRecord, 'scores'>) {
  const share = (value: number | null) => (value === null ? '' : formatShare(value, 1));
  return (
    <PlainTable
      label="Scores by quantity and predictor"
      headings={['Of', 'Predictor', 'Scored', 'Mean error', 'Within 95 %', 'Promises', 'Promised', 'Kept', 'Brier']}
      numbers={[2, 3, 4, 5, 6, 7, 8]}
      rows={scores.map((score) => [
        ...[score.quantity, score.predictor, formatCount(score.count), errorOf(score), share(score.coverage95)],
        ...[score.promises === 0 ? '' : formatCount(score.promises), share(score.promisedProbability)],
        ...[share(score.keptShare), score.brierScore === null ? '' : score.brierScore.toFixed(3)],
      ])}
    />
  );
}

function errorOf(score: SiteRecord['scores'][number]): string {
  const { meanAbsoluteErrorSeconds, meanAbsoluteErrorBytes, meanAbsoluteErrorProcessors } = score;
  if (meanAbsoluteErrorSeconds !== null) return formatSeconds(meanAbsoluteErrorSeconds);
  if (meanAbsoluteErrorBytes !== null) return `${formatCount(meanAbsoluteErrorBytes / 2 ** 20)} MiB`;
  return meanAbsoluteErrorProcessors === null ? '' : `${formatCount(meanAbsoluteErrorProcessors)} processors`;
}
