/**
 * What is left of a forecast probability when it rests on a short past. A past that is `m` times as long as the time
 * ahead has shown about `m` such times, and the next one need not be like them: the probability is drawn to a half as
 * if some had gone either way at random. From fifty times on nothing is taken.
 * @param knownSeconds how much of the past is known
 * @param aheadSeconds how far ahead the forecast looks; nothing is taken at 0
 */
export function supportedProbability(probability: number, knownSeconds: number, aheadSeconds: number): number {
  if (aheadSeconds <= 0) return probability;
  const times = knownSeconds / aheadSeconds;
  const doubt = DOUBT_OF_NO_PAST * Math.max(0, 1 - times / ENOUGH_TIMES);
  return doubt === 0 ? probability : Math.min(probability, (times * probability + doubt / 2) / (times + doubt));
}

/** Whether a past supports every probability so far ahead. */
export function isPastLongEnough(knownSeconds: number, aheadSeconds: number): boolean {
  return knownSeconds >= ENOUGH_TIMES * aheadSeconds;
}

const ENOUGH_TIMES = 50;
/** With no past at all a half is left, however many such times would be doubted. */
const DOUBT_OF_NO_PAST = 2;
