const STEPS = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const;

/** Seconds in the two largest units that say something: `3 d 4 h`, `1 h 30 m`, `45 s`. */
export function formatSeconds(seconds: number): string {
  if (!Number.isFinite(seconds)) return '∞';
  const sign = seconds < 0 ? '-' : '';
  let left = Math.round(Math.abs(seconds));
  const words: string[] = [];
  for (const [unit, size] of STEPS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) words.push(`${count} ${unit}`);
    else if (words.length > 0) break;
    if (words.length === 2) break;
  }
  return words.length === 0 ? '0 s' : sign + words.join(' ');
}

/** A moment of the API to the second, in UTC, as every option that takes a moment reads it: `2026-11-20T14:00:00Z`. */
export function formatMoment(moment: string): string {
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}

/** Processor-seconds as processor-hours with one decimal. */
export function formatProcessorHours(processorSeconds: number): string {
  return `${(processorSeconds / 3600).toFixed(1)} processor-h`;
}
