import { keepClass } from '../../domain/kept-classes.ts';
import { GapMoments } from './gap-moments.ts';
import { HazardTable } from './hazard-table.ts';

/** What is known of one user's submissions. A slot with several jobs counts as one submission of all of them. */
export class UserActivity {
  /** Hazards by the pace at which the user had been going. */
  readonly tables = new Map<number, HazardTable>();
  readonly gaps = new GapMoments();
  submissions = 0;
  /** All processors ever asked for. */
  processors = 0;
  /** Processors of a submission, of the last ones above all. */
  meanProcessors = 0;
  private logGap = Math.log2(USUAL_GAP_SLOTS);

  /** @param slot of the first submission, and then of the last one */
  constructor(public slot: number) {}

  /** A job in a slot of its own: the age of the user is over. */
  begin(slot: number, processors: number): void {
    if (this.submissions > 0) this.logGap += PACE_SHARE * (Math.log2(slot - this.slot) - this.logGap);
    this.slot = slot;
    this.submissions++;
    this.processors += processors;
    this.meanProcessors += this.newestShare() * (processors - this.meanProcessors);
  }

  /** One more job in the same slot. */
  more(processors: number): void {
    this.processors += processors;
    this.meanProcessors += this.newestShare() * processors;
  }

  /** How far apart the last submissions came, by doublings of a slot. */
  pace(): number {
    return Math.min(MOST_PACE, Math.round(this.logGap));
  }

  table(pace: number): HazardTable {
    let table = this.tables.get(pace);
    if (!table) {
      table = new HazardTable();
      this.tables.set(pace, table);
    }
    return table;
  }

  private newestShare(): number {
    return Math.max(SIZE_SHARE, 1 / this.submissions);
  }
}

/** What the pace of a user is before there are two submissions: an hour. */
const USUAL_GAP_SLOTS = 12;
/** How much the newest gap, and the size of the newest submission, count. */
const PACE_SHARE = 0.4;
const SIZE_SHARE = 0.5;
const MOST_PACE = 12;

keepClass(UserActivity);
