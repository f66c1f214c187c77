import type { EpochSeconds } from '../../domain/clock.ts';

/** How much a site, or a job, reads from and writes to file systems at a time. */
export interface Bandwidth {
  readonly readBytesPerSecond: number;
  readonly writtenBytesPerSecond: number;
}

/** When a job is thought to run, and how fast it reads and writes meanwhile. */
export interface IoRun extends Bandwidth {
  readonly startAt: EpochSeconds;
  readonly endAt: EpochSeconds;
}

/** Slots of equal length that follow on each other. */
export interface Slots {
  readonly fromAt: EpochSeconds;
  readonly slotSeconds: number;
  readonly count: number;
}

/** The mean bandwidth of a slot. */
export interface IoSlot extends Bandwidth {
  readonly startsAt: EpochSeconds;
}

/**
 * The bandwidth of a job that reads and writes evenly as long as it runs; 0 of what is not known.
 * @param runSeconds from its start to its end, at least a second
 */
export function bandwidthOf(readBytes: number, writtenBytes: number, runSeconds: number): Bandwidth {
  const seconds = Math.max(1, runSeconds);
  const perSecond = (bytes: number) => (Number.isFinite(bytes) ? Math.max(0, bytes) / seconds : 0);
  return { readBytesPerSecond: perSecond(readBytes), writtenBytesPerSecond: perSecond(writtenBytes) };
}

/** What jobs read and write together: the sum of those that run, by the share of each slot that they do. */
export class IoSum {
  private readonly read: Float64Array;
  private readonly written: Float64Array;

  constructor(private readonly slots: Slots) {
    this.read = new Float64Array(slots.count);
    this.written = new Float64Array(slots.count);
  }

  /** O(slots that it touches). */
  add({ startAt, endAt, readBytesPerSecond, writtenBytesPerSecond }: IoRun): void {
    const { fromAt, slotSeconds, count } = this.slots;
    const first = Math.max(0, Math.floor((startAt - fromAt) / slotSeconds));
    const last = Math.min(count - 1, Math.ceil((endAt - fromAt) / slotSeconds) - 1);
    for (let slot = first; slot <= last; slot++) {
      const startsAt = fromAt + slot * slotSeconds;
      const seconds = Math.min(endAt, startsAt + slotSeconds) - Math.max(startAt, startsAt);
      const share = Math.max(0, seconds) / slotSeconds;
      this.read[slot] = (this.read[slot] as number) + share * readBytesPerSecond;
      this.written[slot] = (this.written[slot] as number) + share * writtenBytesPerSecond;
    }
  }

  /** Read and written together, by slot. Bytes per second. */
  totals(): Float64Array {
    return this.read.map((bytes, slot) => bytes + (this.written[slot] as number));
  }

  slotAt(slot: number): IoSlot {
    const { fromAt, slotSeconds } = this.slots;
    return {
      startsAt: fromAt + slot * slotSeconds,
      readBytesPerSecond: this.read[slot] as number,
      writtenBytesPerSecond: this.written[slot] as number,
    };
  }

  all(): IoSlot[] {
    return Array.from({ length: this.slots.count }, (_, slot) => this.slotAt(slot));
  }
}
