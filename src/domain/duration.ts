const STEPS = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const;

/** Seconds in the two largest units that say something: `3 d 4 h`, `1 h 30 m`, `45 s`. */
export function formatSeconds(seconds: number): string {
  const counts = countUnits(Math.round(Math.abs(seconds)));
  const first = counts.findIndex(([count]) => count > 0);
  return inWords(seconds, counts.slice(Math.max(0, first), first + 2));
}

/** Seconds in every unit, for limits and what exceeds them, which must not look alike: `1 d 1 s`, `0.1 s`. */
export function formatExactSeconds(seconds: number): string {
  return inWords(seconds, countUnits(Math.round(Math.abs(seconds) * 10) / 10));
}

type Count = readonly [count: number, unit: string];

function countUnits(seconds: number): Count[] {
  let left = seconds;
  return STEPS.map(([unit, size]) => {
    const count = unit === 's' ? Math.round(left * 10) / 10 : Math.floor(left / size);
    left -= count * size;
    return [count, unit];
  });
}

function inWords(seconds: number, counts: readonly Count[]): string {
  if (!Number.isFinite(seconds)) return '∞';
  const words = counts.filter(([count]) => count > 0).map((count) => count.join(' '));
  return words.length === 0 ? '0 s' : `${seconds < 0 ? '-' : ''}${words.join(' ')}`;
}
