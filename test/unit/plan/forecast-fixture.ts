import type { WaitForecast } from '../../../src/domain/forecast.ts';

/** A forecast whose percentile p is `waitAt(p)`, for p from 1 to 99. */
export function forecastOf(waitAt: (percent: number) => number): WaitForecast {
  const quantileSeconds = Array.from({ length: 99 }, (_, i) => waitAt(i + 1));
  return {
    predictor: 'test',
    version: '1',
    madeAt: 0,
    observedAt: 0,
    sampleSize: 100,
    pointSeconds: quantileSeconds[49] ?? 0,
    quantileSeconds,
  };
}

/** Waits spread evenly from 0 to `longestSeconds`. */
export function evenForecast(longestSeconds: number): WaitForecast {
  return forecastOf((percent) => (longestSeconds * percent) / 100);
}
