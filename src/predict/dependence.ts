import type { EpochSeconds } from '../domain/clock.ts';
import { type SiteDependence, UNKNOWN_DEPENDENCE } from '../domain/dependence.ts';
import { probabilityToStartWithin, type WaitForecast } from '../domain/forecast.ts';
import { autocorrelation } from '../stats/autocorrelation.ts';
import { gaussianRankCorrelation, normalScores } from '../stats/gaussian-rank-correlation.ts';

/** How one forecast came out at a site. */
export interface ForecastOutcome {
  /** When the job was submitted. */
  readonly at: EpochSeconds;
  /** Share of the forecast's distribution that the wait exceeded, from 0 (sooner than all of it) to 1. */
  readonly lateness: number;
}

/**
 * Share of a forecast's distribution that a wait exceeded. Of a job that had not started when it was given up, the
 * middle of what is left beyond the time it had; null where nothing is known of its wait.
 * @param waitSeconds null for a job that never started
 * @param leadSeconds the time it had; null where it had no limit
 */
export function latenessOf(
  forecast: Pick<WaitForecast, 'quantileSeconds'>,
  waitSeconds: number | null,
  leadSeconds: number | null,
): number | null {
  if (waitSeconds !== null) return probabilityToStartWithin(forecast, waitSeconds);
  return leadSeconds === null ? null : (1 + probabilityToStartWithin(forecast, leadSeconds)) / 2;
}

/**
 * Measures how two sites depend on each other by forecasts at both that came out in the same span of time (six hours
 * unless told). A common cause of delays makes both late where independent ones would be late by turns. Spans that
 * resemble the one before count for less (Bayley and Hammersley, The effective number of independent observations in an
 * autocorrelated time series, 1946); the interval is Fisher's. Fewer than ten independent pairs tell nothing.
 */
export function measureDependence(
  a: readonly ForecastOutcome[],
  b: readonly ForecastOutcome[],
  spanSeconds = DEPENDENCE_SPAN_SECONDS,
): SiteDependence {
  const [meansOfA, meansOfB] = [meanBySpan(a, spanSeconds), meanBySpan(b, spanSeconds)];
  const spans = [...meansOfA.keys()].filter((span) => meansOfB.has(span)).sort((one, other) => one - other);
  const [x, y] = [meansOfA, meansOfB].map((means) => spans.map((span) => means.get(span) ?? 0)) as [number[], number[]];
  const common = Math.max(0, autocorrelation(normalScores(x), 1) * autocorrelation(normalScores(y), 1));
  const effectivePairs = (spans.length * (1 - common)) / (1 + common);
  if (effectivePairs < FEWEST_PAIRS) return { ...UNKNOWN_DEPENDENCE, pairs: spans.length, effectivePairs };
  const correlation = Math.min(0.999, Math.max(-0.999, gaussianRankCorrelation(x, y)));
  const reach = NORMAL_97_5 / Math.sqrt(effectivePairs - 3);
  return {
    pairs: spans.length,
    effectivePairs,
    correlation,
    lowest: Math.tanh(Math.atanh(correlation) - reach),
    highest: Math.tanh(Math.atanh(correlation) + reach),
  };
}

function meanBySpan(outcomes: readonly ForecastOutcome[], spanSeconds: number): Map<number, number> {
  const bySpan = new Map<number, { sum: number; count: number }>();
  for (const { at, lateness } of outcomes) {
    const span = Math.floor(at / spanSeconds);
    const { sum, count } = bySpan.get(span) ?? { sum: 0, count: 0 };
    bySpan.set(span, { sum: sum + lateness, count: count + 1 });
  }
  return new Map([...bySpan].map(([span, { sum, count }]) => [span, sum / count]));
}

/** Outcomes within such a span of time are taken to have causes in common. */
export const DEPENDENCE_SPAN_SECONDS = 6 * 3600;

const FEWEST_PAIRS = 10;
const NORMAL_97_5 = 1.959964;
