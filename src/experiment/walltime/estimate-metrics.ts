import { rounded } from '../report/rounded.ts';
import type { EstimateFigures } from './estimate-tally.ts';

/** Names of the metrics of estimates, in their order. */
export const ESTIMATE_METRICS = [
  'accuracyMean',
  'accuracyMedian',
  'naShare',
  'oeShare',
  'ueShare',
  'beShare',
] as const satisfies readonly (keyof EstimateFigures)[];

/** The figures of estimates as metrics of a row; none of no job. */
export function estimateMetrics(figures: EstimateFigures): Record<string, number> {
  if (figures.jobs === 0) return {};
  return Object.fromEntries(ESTIMATE_METRICS.map((name) => [name, rounded(figures[name], 4) as number]));
}
