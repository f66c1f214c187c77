import { keepClass } from '../../domain/kept-classes.ts';
import { SLOTS_PER_HOUR } from './slots.ts';

const HOURS_PER_DAY = 24;
const HOURS_PER_WEEK = 168;

/**
 * How much more happens at an hour of the day and week than would be expected without looking at the time: events
 * counted against expectations, of the hour of the week drawn to that of the day, and that to 1.
 */
export class WeekCycle {
  private readonly events = new Float64Array(HOURS_PER_WEEK);
  private readonly expected = new Float64Array(HOURS_PER_WEEK);
  private hour = Number.NaN;

  happened(slot: number, events: number): void {
    const hour = hourOf(slot);
    this.events[hour] = (this.events[hour] as number) + events;
  }

  expect(slot: number, events: number): void {
    const hour = hourOf(slot);
    if (hour !== this.hour) {
      this.hour = hour;
      this.fade(hour);
    }
    this.expected[hour] = (this.expected[hour] as number) + events;
  }

  /** At least 0; 1 where nothing is known. */
  at(slot: number): number {
    const hour = hourOf(slot);
    let [dayEvents, dayExpected] = [0, 0];
    for (let at = hour % HOURS_PER_DAY; at < HOURS_PER_WEEK; at += HOURS_PER_DAY) {
      dayEvents += this.events[at] as number;
      dayExpected += this.expected[at] as number;
    }
    const ofDay = (dayEvents + PRIOR_EVENTS) / (dayExpected + PRIOR_EVENTS);
    const before = (hour + HOURS_PER_WEEK - 1) % HOURS_PER_WEEK;
    const after = (hour + 1) % HOURS_PER_WEEK;
    const around = (of: Float64Array) => (of[hour] as number) + ((of[before] as number) + (of[after] as number)) / 2;
    return (around(this.events) + PRIOR_EVENTS * ofDay) / (around(this.expected) + PRIOR_EVENTS);
  }

  /** An hour comes around once a week; what it was a year ago counts a third as much. */
  private fade(hour: number): void {
    this.events[hour] = (this.events[hour] as number) * FADING;
    this.expected[hour] = (this.expected[hour] as number) * FADING;
  }
}

function hourOf(slot: number): number {
  const hour = Math.floor(slot / SLOTS_PER_HOUR) % HOURS_PER_WEEK;
  return hour < 0 ? hour + HOURS_PER_WEEK : hour;
}

const PRIOR_EVENTS = 20;
const FADING = 1 - 1 / 52;

keepClass(WeekCycle);
