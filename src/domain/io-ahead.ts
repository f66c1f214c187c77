import type { EpochSeconds } from './clock.ts';

/** How much the jobs of a site are forecast to read and write in one slot of time, on average. */
export interface IoSlotForecast {
  readonly startsAt: EpochSeconds;
  readonly readBytesPerSecond: number;
  readonly writtenBytesPerSecond: number;
}

/** The IO of a site in the coming slots, by the jobs that it shows now. */
export interface IoForecast {
  readonly madeAt: EpochSeconds;
  /** Moment of the snapshot that it rests on. */
  readonly observedAt: EpochSeconds;
  readonly slotSeconds: number;
  /** What a burst exceeds, read and written together: the mean and one deviation of the last four weeks. */
  readonly burstBytesPerSecond: number;
  /** How many of its jobs it is made of, and how many were left out because they are too many. */
  readonly jobs: number;
  readonly jobsLeftOut: number;
  readonly slots: readonly IoSlotForecast[];
}

/** Whether more is read and written in a slot than the site usually has. */
export function isBurst(
  { burstBytesPerSecond }: Pick<IoForecast, 'burstBytesPerSecond'>,
  slot: IoSlotForecast,
): boolean {
  return slot.readBytesPerSecond + slot.writtenBytesPerSecond > burstBytesPerSecond;
}
