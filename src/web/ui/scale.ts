/** Where a value lies on a line of pixels. */
export type Scale = (value: number) => number;

/** A scale from one span to another; one point of a span that is none lies in the middle. */
export function scaleOf(from: number, to: number, start: number, end: number): Scale {
  if (!(to > from)) return () => (start + end) / 2;
  return (value) => start + ((value - from) / (to - from)) * (end - start);
}

/** Distances of round numbers that are whole, from one on. */
export const WHOLE_STEPS: readonly number[] = Array.from({ length: 12 }, (_, power) => 10 ** power).flatMap((ten) => [
  ...[ten, 2 * ten, 5 * ten],
]);

/** Distances of shares that are told as whole percents. */
export const SHARE_STEPS: readonly number[] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5];

/** Distances of round lengths of time. */
export const STEPS_SECONDS: readonly number[] = [
  ...[1, 5, 15, 30, 60, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800],
  ...[1_209_600, 2_592_000, 7_776_000, 31_536_000],
];

/** Round moments of the viewer's zone within a span, at most so many. In milliseconds since the epoch. */
export function timeTicks(from: number, to: number, most: number): number[] {
  const step = (STEPS_SECONDS.find((seconds) => (to - from) / 1000 / seconds <= most) ?? 31_536_000) * 1000;
  const zone = zoneAt(from);
  const first = Math.ceil((from - zone) / step) * step + zone;
  const count = Math.max(0, Math.floor((to - first) / step) + 2);
  const ticks = Array.from({ length: count }, (_, index) => first + index * step);
  // Where clocks were set since the first one, steps of more than an hour are round by those of their own moment.
  const round = step > HOUR_MILLISECONDS ? ticks.map((at) => at + zoneAt(at) - zone) : ticks;
  return round.filter((at) => at >= from && at <= to);
}

function zoneAt(at: number): number {
  return new Date(at).getTimezoneOffset() * 60_000;
}

const HOUR_MILLISECONDS = 3_600_000;
