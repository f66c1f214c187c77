import type { KnownRuntime } from './known-runtimes.ts';
import { type LoadFunction, secondsAt } from './load-functions.ts';

interface Span {
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

/**
 * The ranges as the paper prints them: each load function, shifted to go through a known runtime at the load it had,
 * tells one at the load expected; all functions together tell a range, compacted to 20 %; ranges that overlap by more
 * than half are merged, others cut apart. Rising. Source: hariharan-end-to-end-predictions, sections III-D and III-E.
 */
export function printedRanges(
  runtimes: readonly KnownRuntime[],
  functions: readonly LoadFunction[],
  expectedLoad: number,
): Span[] {
  const ranges = runtimes.map(({ seconds, load }) => {
    const shifts = functions.map((one) => secondsAt(one, expectedLoad) - secondsAt(one, load));
    const told = shifts.length === 0 ? [seconds] : shifts.map((shift) => Math.max(0, seconds + shift));
    return compacted(Math.min(...told), Math.max(...told));
  });
  return merged(ranges.sort((a, b) => a.fromSeconds - b.fromSeconds || a.toSeconds - b.toSeconds));
}

/** A range around the same middle whose ends differ by at most 20 % of it. */
function compacted(fromSeconds: number, toSeconds: number): Span {
  const middle = (fromSeconds + toSeconds) / 2;
  const reach = Math.min((toSeconds - fromSeconds) / 2, (COMPACTED_TO * middle) / 2);
  return { fromSeconds: middle - reach, toSeconds: middle + reach };
}

function merged(rising: readonly Span[]): Span[] {
  const stack: Span[] = [];
  for (const range of rising) {
    const top = stack.at(-1);
    const length = range.toSeconds - range.fromSeconds;
    if (!top || range.fromSeconds > top.toSeconds) stack.push(range);
    else if (top.toSeconds - range.fromSeconds >= LEAST_OVERLAP * length) {
      stack[stack.length - 1] = { ...top, toSeconds: Math.max(top.toSeconds, range.toSeconds) };
    } else stack.push({ fromSeconds: top.toSeconds, toSeconds: range.toSeconds });
  }
  return stack;
}

const COMPACTED_TO = 0.2;
const LEAST_OVERLAP = 0.5;
