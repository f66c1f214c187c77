import type { EpochSeconds } from '../../domain/clock.ts';
import { type IoForecast, isBurst } from '../../domain/io-ahead.ts';

/** IO of a job that matters: at least this share of what a burst exceeds. */
export const MATTERING_SHARE = 0.05;

/** For so long from its start, or as long as it runs, a job should meet no burst. */
const CALM_SECONDS = 900;

/** Whether a job reads and writes so much that a burst of its site's IO would slow it, and it the others. */
export function doesIoMatter({ burstBytesPerSecond }: IoForecast, bytesPerSecond: number): boolean {
  return bytesPerSecond > 0 && bytesPerSecond >= MATTERING_SHARE * burstBytesPerSecond;
}

/**
 * The first moment from which on a job would not run into a predicted burst: `startAt` itself where there is none then,
 * or none is foreseen that far ahead. Null where that is later than `latestAt`.
 */
export function calmStartAt(
  io: IoForecast,
  startAt: EpochSeconds,
  runSeconds: number,
  latestAt: EpochSeconds,
): EpochSeconds | null {
  const calmSeconds = Math.min(runSeconds, CALM_SECONDS);
  let calmAt = startAt;
  for (const slot of io.slots) {
    const endsAt = slot.startsAt + io.slotSeconds;
    if (endsAt <= calmAt || !isBurst(io, slot)) continue;
    if (slot.startsAt >= calmAt + calmSeconds) break;
    calmAt = endsAt;
  }
  return calmAt <= latestAt ? calmAt : null;
}
