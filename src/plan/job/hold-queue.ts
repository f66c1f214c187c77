import type { EpochSeconds } from '../../domain/clock.ts';
import type { HeldJob } from '../../domain/hold-queue.ts';

/**
 * When a job that arrives now goes behind those that are held at its site: as long after the first of them as it came
 * after it, and not before the last. Where the first has gone, with the last. Null where nobody is held any more.
 * Source: hariharan-end-to-end-predictions, section IV-B; what becomes of those that come when the first has gone is
 * ours.
 * @param head the first that was held, also when it has gone while others are still held; null for none
 * @param last the last in the queue; the head itself where nobody is behind it
 */
export function submitAtBehind(
  head: HeldJob | null,
  last: HeldJob | null,
  arrivedAt: EpochSeconds,
): EpochSeconds | null {
  if (head === null || last === null || last.submitAt <= arrivedAt) return null;
  if (head.submitAt <= arrivedAt) return last.submitAt;
  return Math.max(last.submitAt, head.submitAt + (arrivedAt - head.arrivedAt));
}
