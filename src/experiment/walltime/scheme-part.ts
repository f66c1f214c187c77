import { ADJUSTMENT_DEFAULTS } from '../../predict/runtime/adjusted-walltime.ts';
import { type KeyType, type Likeness, WINDOWS } from '../../predict/runtime/like-jobs-shares.ts';
import { toRecords } from '../../sim/records.ts';
import type { ExperimentRow, Figure, PartInput } from '../experiment.ts';
import { ESTIMATE_METRICS, estimateMetrics } from './estimate-metrics.ts';
import type { EstimateFigures } from './estimate-tally.ts';
import { PERCENTILES, type SchemeFigures, schemeFigures } from './scheme-figures.ts';

type Metric = (typeof ESTIMATE_METRICS)[number];

/** With the paper's threshold first, then without one. */
const LEAST_SHARES = [ADJUSTMENT_DEFAULTS.leastShare, 0];

/** Figures 4 to 10 of Tang et al.: schemes of one kind of likeness, over all windows and percentiles. */
export function schemePart(key: KeyType, { workload, onProgress, onFigure }: PartInput): ExperimentRow[] {
  const records = toRecords(workload);
  const schemes = WINDOWS.flatMap((window, index) => {
    onProgress(Math.floor((workload.length * index) / WINDOWS.length));
    const isWhole = window === 'all';
    return schemeFigures(records, { key, window }, isWhole ? LEAST_SHARES : LEAST_SHARES.slice(0, 1));
  });
  for (const figure of figuresOf(key, schemes)) onFigure?.(figure);
  return schemes.map((scheme) => ({
    name: nameOf(scheme),
    jobs: scheme.byPercentile[0]?.jobs ?? 0,
    ...metrics(scheme),
  }));
}

function metrics({ byPercentile }: SchemeFigures): Record<string, number> {
  const entries = byPercentile.flatMap((figures, index) =>
    Object.entries(estimateMetrics(figures)).map(([metric, value]) => [`${metric}P${PERCENTILES[index]}`, value]),
  );
  return Object.fromEntries(entries);
}

function nameOf({ likeness, leastShare }: SchemeFigures): string {
  return `scheme/${likeness.key}/${windowText(likeness)}${leastShare > 0 ? '' : '/no-threshold'}`;
}

function windowText({ window }: Likeness): string {
  return window === 'all' ? 'all' : `${window}-months`;
}

function figuresOf(key: KeyType, schemes: readonly SchemeFigures[]): Figure[] {
  const untouched = schemes.filter(({ leastShare }) => leastShare === 0);
  const limited = schemes.filter(({ leastShare }) => leastShare > 0);
  const whole = limited.filter(({ likeness }) => likeness.window === 'all');
  const kinds = ['naShare', 'oeShare', 'ueShare', 'beShare'] as const;
  return [
    plot('figure 4: accuracy by likeness, no threshold', 'mean accuracy', untouched, () => key, 'accuracyMean'),
    ...[
      { title: `figure 5: kinds of estimates by ${key}, no threshold`, of: untouched },
      { title: `figures 6 and 7: kinds of estimates by ${key}, threshold .5`, of: whole },
    ].map(({ title, of }) => ({
      ...plot(title, 'share of jobs', [], () => '', 'naShare'),
      series: kinds.flatMap((kind) => plot(title, '', of, () => kind, kind).series),
    })),
    plot(`figure 8: accuracy by window, ${key}`, 'mean accuracy', limited, windowOf, 'accuracyMean'),
    plot(`figure 9: bad estimates by window, ${key}`, 'share of jobs', limited, windowOf, 'beShare'),
    plot(`figure 10: underestimates by window, ${key}`, 'share of jobs', limited, windowOf, 'ueShare'),
  ];
}

function windowOf({ likeness }: SchemeFigures): string {
  return windowText(likeness);
}

function plot(
  title: string,
  y: string,
  schemes: readonly SchemeFigures[],
  seriesOf: (scheme: SchemeFigures) => string,
  metric: Metric,
): Figure {
  const series = schemes.map((scheme) => {
    const points = PERCENTILES.map((percentile, index) => {
      return [percentile, (scheme.byPercentile[index] as EstimateFigures)[metric]] as const;
    });
    return { name: seriesOf(scheme), points };
  });
  return { title, x: 'percentile', y, series };
}

/** The tables of the schemes. */
export const SCHEME_TABLES = ESTIMATE_METRICS.map((metric) => {
  return { title: `${metric} by percentile`, metrics: PERCENTILES.map((percentile) => `${metric}P${percentile}`) };
});
