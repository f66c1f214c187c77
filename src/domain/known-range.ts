import type { EpochSeconds } from './clock.ts';
import { formatSeconds } from './duration.ts';

/** What of a site is compared with what was learned of it. */
export const RANGE_QUANTITIES = [
  /** Jobs that wait. */
  'WAITING_JOBS',
  /** Processors that they ask for. */
  'WAITING_PROCESSORS',
  /** Jobs of the last hour that are still there. */
  'ARRIVALS',
  /** Seconds that half of the jobs that wait, or started in the last hours, have waited so far. */
  'WAITS',
  /** How many times as long as forecast submissions of the last hours would have waited. */
  'LATENESS',
] as const;
export type RangeQuantity = (typeof RANGE_QUANTITIES)[number];

/** A site that has left the range that its forecasts were learned in. */
export interface OutsideKnownRange {
  /** The quantity that is farthest outside. */
  readonly what: RangeQuantity;
  readonly value: number;
  /** The largest value that forecasts were learned from. */
  readonly knownUpTo: number;
  /** When the site left its known range. */
  readonly sinceAt: EpochSeconds;
  /** Whether enough has been seen since to correct forecasts by it; until then nothing should be promised on them. */
  readonly isFollowed: boolean;
}

/** It in words, to follow the name of the site or "it". */
export function describeOutside({ what, value, knownUpTo }: OutsideKnownRange): string {
  return `is outside the range that its past is known in: ${wordsOf(what, value, knownUpTo)}`;
}

/** It as an addition to a sentence about a site; empty for a site within its known range. */
export function outsideRemark(outside: OutsideKnownRange | null | undefined): string {
  return outside ? `; it ${describeOutside(outside)}` : '';
}

/** Whether nothing should be promised on forecasts of such a site. */
export function isWithheld(outside: OutsideKnownRange | null | undefined): boolean {
  return outside ? !outside.isFollowed : false;
}

function wordsOf(what: RangeQuantity, value: number, knownUpTo: number): string {
  const inWords = what === 'WAITS' ? formatSeconds : shown;
  return WORDS[what](inWords(value), inWords(knownUpTo));
}

const WORDS: Readonly<Record<RangeQuantity, (value: string, known: string) => string>> = {
  WAITING_JOBS: (value, known) => `${value} jobs wait, known are up to ${known}`,
  WAITING_PROCESSORS: (value, known) => `jobs that wait ask for ${value} processors, known are up to ${known}`,
  ARRIVALS: (value, known) => `${value} jobs came within an hour, known are up to ${known}`,
  WAITS: (value, known) => `half of its jobs have waited ${value} and more, known are up to ${known}`,
  LATENESS: (value, known) => `jobs wait ${value} times as long as forecast, known is up to ${known} times`,
};

function shown(value: number): string {
  return value < 10 ? String(Math.round(value * 10) / 10) : String(Math.round(value));
}
