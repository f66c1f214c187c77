/** Response times from one to another, both included: of a range set shifted by a wait. */
export interface ResponseRange {
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

/** What is forecast of the time from submission to end: ranges without a spread in them, or percentiles 1 to 99. */
export type ResponseForecast =
  | { readonly ranges: readonly ResponseRange[] }
  | { readonly quantileSeconds: readonly number[] };

/**
 * The gain of each of several responses, on one scale from 0 to 1, in their order: the largest is to be chosen. A
 * response t is worth 1 - t, as a share of the longest finite response over all of them. Ranges are worth the area
 * under that over the length that they cover, so that many late ranges are worth less than a few early ones.
 * Percentiles are equally likely and worth their mean. What is infinite, or not forecast at all, is worth nothing.
 * Source: hariharan-end-to-end-predictions, section IV-A.
 */
export function gainScores(responses: readonly ResponseForecast[]): number[] {
  const longest = longestSeconds(responses);
  return responses.map((response) =>
    'ranges' in response
      ? gainOfRanges(response.ranges, longest)
      : gainOfPercentiles(response.quantileSeconds, longest),
  );
}

/** The longest finite response that any of them holds possible; 0 where there is none. */
function longestSeconds(responses: readonly ResponseForecast[]): number {
  let longest = 0;
  for (const response of responses) {
    const ends = 'ranges' in response ? response.ranges.map(({ toSeconds }) => toSeconds) : response.quantileSeconds;
    for (const seconds of ends) if (Number.isFinite(seconds)) longest = Math.max(longest, seconds);
  }
  return longest;
}

/**
 * Area under 1 - t over the ranges, over the length that they cover. Where they cover none, being single moments, the
 * mean over the moments.
 */
function gainOfRanges(ranges: readonly ResponseRange[], longest: number): number {
  let [area, length, middles] = [0, 0, 0];
  for (const { fromSeconds, toSeconds } of ranges) {
    const gain = (gainAt(fromSeconds, longest) + gainAt(toSeconds, longest)) / 2;
    const seconds = Math.min(toSeconds, longest) - Math.min(fromSeconds, longest);
    area += gain * seconds;
    length += seconds;
    middles += gain;
  }
  if (length > 0) return area / length;
  return ranges.length > 0 ? middles / ranges.length : 0;
}

function gainOfPercentiles(quantileSeconds: readonly number[], longest: number): number {
  if (quantileSeconds.length === 0) return 0;
  return quantileSeconds.reduce((sum, seconds) => sum + gainAt(seconds, longest), 0) / quantileSeconds.length;
}

function gainAt(seconds: number, longest: number): number {
  if (seconds <= 0) return 1;
  return seconds < longest ? 1 - seconds / longest : 0;
}
