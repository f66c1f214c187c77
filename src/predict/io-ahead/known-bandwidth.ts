import type { EpochSeconds } from '../../domain/clock.ts';
import { DAY_SECONDS } from '../../domain/clock.ts';
import { type EndedRecord, hasRun } from '../../domain/job.ts';
import { knownBytes } from '../io/known-bytes.ts';
import type { SiteListener } from '../predictor.ts';
import { burstLevel } from './burst-level.ts';
import { bandwidthOf } from './io-slots.ts';

/** Length of a slot of a site's IO. */
export const IO_SLOT_SECONDS = 300;
/** What is older says nothing of how a site is used now. */
const KEPT_SLOTS = (28 * DAY_SECONDS) / IO_SLOT_SECONDS;

/**
 * How much a site read and wrote in the last four weeks, by the slot, as far as the records of jobs that are over tell.
 * The newest slots lack what still runs.
 */
export class KnownBandwidth implements SiteListener {
  /** Bytes per second of the slots, each at its number modulo how many are kept. */
  private readonly slots = new Float64Array(KEPT_SLOTS);
  private first = Number.POSITIVE_INFINITY;
  private last = Number.NEGATIVE_INFINITY;
  /** How many jobs told what they read or wrote. */
  knownJobs = 0;

  ended(record: EndedRecord): void {
    if (!hasRun(record)) return;
    const [read, written] = [knownBytes(record, 'readBytes'), knownBytes(record, 'writtenBytes')];
    if (read === null && written === null) return;
    this.knownJobs++;
    const { startAt, endAt } = record;
    const { readBytesPerSecond, writtenBytesPerSecond } = bandwidthOf(read ?? 0, written ?? 0, endAt - startAt);
    this.add(startAt, endAt, readBytesPerSecond + writtenBytesPerSecond);
  }

  /** From which bandwidth on the site is in a burst; null where no job told anything. */
  get burstBytesPerSecond(): number | null {
    if (this.knownJobs === 0) return null;
    const known: number[] = [];
    for (let slot = Math.max(this.first, this.last - KEPT_SLOTS + 1); slot <= this.last; slot++) {
      known.push(this.slots[slot % KEPT_SLOTS] as number);
    }
    return burstLevel(known);
  }

  private add(startAt: EpochSeconds, endAt: EpochSeconds, bytesPerSecond: number): void {
    const [from, to] = [Math.floor(startAt / IO_SLOT_SECONDS), Math.floor(Math.max(startAt, endAt) / IO_SLOT_SECONDS)];
    this.reach(to);
    this.first = Math.min(this.first, from);
    for (let slot = Math.max(from, this.last - KEPT_SLOTS + 1); slot <= to; slot++) {
      const slotAt = slot * IO_SLOT_SECONDS;
      const seconds = Math.min(endAt, slotAt + IO_SLOT_SECONDS) - Math.max(startAt, slotAt);
      const place = slot % KEPT_SLOTS;
      this.slots[place] = (this.slots[place] as number) + (bytesPerSecond * Math.max(0, seconds)) / IO_SLOT_SECONDS;
    }
  }

  /** Forgets what is too old once a slot is reached. */
  private reach(slot: number): void {
    const from = Math.max(this.last + 1, slot - KEPT_SLOTS + 1);
    for (let one = from; one <= slot; one++) this.slots[one % KEPT_SLOTS] = 0;
    this.last = Math.max(this.last, slot);
  }
}
