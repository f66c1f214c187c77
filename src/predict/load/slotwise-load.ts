import type { EpochSeconds } from '../../domain/clock.ts';
import type { SlotForecast, SlotsForecast } from '../../domain/forecast.ts';
import { requestOf, type SubmittedJob } from '../../domain/job.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import type { SlotsPredictor, SlotsQuery } from '../site-quantity.ts';
import { JobsSeen } from './jobs-seen.ts';
import { LoadAhead } from './load-ahead.ts';
import type { LoadModel } from './load-model.ts';
import { OwnForecasts } from './own-forecasts.ts';
import { RecentAmounts } from './recent-amounts.ts';
import { nextSlotAt, SLOT_SECONDS, SLOTS_PER_DAY, SLOTS_PER_HOUR, SLOTS_PER_WEEK, slotOf } from './slots.ts';

/** The lengths of slots that load is forecast for: as short as it is counted, and hours. */
export const LOAD_SLOT_SECONDS: readonly number[] = [SLOT_SECONDS, SLOTS_PER_HOUR * SLOT_SECONDS];
/** A week: what comes later is as usual. */
export const LONGEST_LOAD_SECONDS = SLOTS_PER_WEEK * SLOT_SECONDS;

/**
 * Makes a predictor of arriving load of a method that expects it slot by slot: processors asked for in the slots ahead,
 * each with its expected value and the percentiles of what came of such expectations before. Learning costs O(1) a job,
 * and what the method costs a slot; a gap costs at most a week of slots.
 */
export class SlotwiseLoad implements SlotsPredictor {
  private slot: number | null = null;
  private amount = 0;
  private readonly recent = new RecentAmounts(2 * SLOTS_PER_HOUR);
  private readonly ahead: LoadAhead;
  private readonly own = new OwnForecasts();
  private readonly seen = new JobsSeen();

  readonly needsPastStates = false;

  constructor(
    readonly name: string,
    readonly version: string,
    private readonly model: LoadModel,
  ) {
    this.ahead = new LoadAhead(model);
  }

  /** A job that a snapshot has shown is known; one that is told of very late no longer arrives. */
  submitted(job: SubmittedJob): void {
    if (!this.seen.isNew(job)) return;
    const told = slotOf(job.submitAt);
    if (this.slot !== null && told < this.slot - LATEST_SLOTS) return;
    const slot = Math.max(told, this.slot ?? told);
    this.slot ??= slot;
    this.advanceTo(slot);
    this.amount += job.processors;
    this.model.submitted(job, slot);
  }

  /** Jobs in the queue have arrived, though records tell of them only once they start. */
  observed({ observedAt, waiting, running }: Snapshot): void {
    this.seen.forgetBefore(observedAt);
    const fresh = [...waiting, ...running].filter(({ submitAt }) => this.seen.isRecent(submitAt));
    for (const job of fresh.sort((a, b) => a.submitAt - b.submitAt)) {
      this.submitted({ ...requestOf(job), nativeId: job.nativeId, submitAt: job.submitAt });
    }
  }

  predict({ slots, slotSeconds }: SlotsQuery, _state: unknown, now: EpochSeconds): SlotsForecast {
    const first = Math.max(nextSlotAt(now), this.slot ?? Number.NEGATIVE_INFINITY);
    const length = slotSeconds / SLOT_SECONDS;
    const count = Math.min(slots, Math.floor(LONGEST_LOAD_SECONDS / slotSeconds));
    const ahead = this.ahead.from(first);
    return {
      predictor: this.name,
      version: this.version,
      madeAt: now,
      slotSeconds,
      slots: Array.from({ length: count }, (_, i): SlotForecast => {
        const lead = i * length;
        const expected = ahead.expectedIn(lead, length);
        const { percentiles, sampleSize } = this.own.spreadOf(lead, length, expected);
        const point = sampleSize === 0 ? Number.POSITIVE_INFINITY : expected;
        return { startsAt: (first + lead) * SLOT_SECONDS, point, percentiles, sampleSize };
      }),
    };
  }

  private advanceTo(slot: number): void {
    const from = this.slot ?? slot;
    for (let passed = from; passed < Math.min(slot, from + LONGEST_GAP_SLOTS); passed++) this.endSlot(passed);
    if (slot > from + LONGEST_GAP_SLOTS) this.own.clear();
    this.slot = slot;
  }

  private endSlot(slot: number): void {
    this.recent.set(slot, this.amount);
    const inHour = this.recent.sumUntil(slot, SLOTS_PER_HOUR);
    for (const { lead, parts } of this.own.learnEndingIn(slot, this.amount, inHour)) {
      this.ahead.learn(lead, parts, slot, this.amount);
    }
    this.ahead.slotEnded(slot, this.amount);
    this.model.slotEnded(slot, this.amount);
    this.own.make(slot + 1, this.ahead.from(slot + 1));
    this.amount = 0;
  }
}

/** Accounting tells of jobs that no snapshot showed so much later. */
const LATEST_SLOTS = 2 * SLOTS_PER_HOUR;
/** Slots without a job that are lived through one by one; the rest of a longer gap is passed over. */
const LONGEST_GAP_SLOTS = 7 * SLOTS_PER_DAY;
