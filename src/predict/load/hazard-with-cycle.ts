import type { SubmittedJob } from '../../domain/job.ts';
import { FadingMean } from './fading-mean.ts';
import { HazardModel } from './hazard.ts';
import type { LoadModel } from './load-model.ts';
import { SLOTS_PER_DAY, SLOTS_PER_HOUR, SLOTS_PER_WEEK } from './slots.ts';
import { WeekCycle } from './week-cycle.ts';

/**
 * The hazards of all users with the cycle of the day and week. Who submitted within the hour goes on at night, too; who
 * has been away comes back in the morning: so the cycle is learned apart by how long a user has been away, as the
 * submissions that came over those that the hazards alone expected.
 */
export class HazardWithCycle implements LoadModel {
  private readonly hazards = new HazardModel();
  private readonly cycles = [new WeekCycle(), new WeekCycle(), new WeekCycle()] as const;
  private readonly all = new WeekCycle();
  private readonly usual = new FadingMean(2 * SLOTS_PER_WEEK);
  private submissions = 0;

  submitted(job: SubmittedJob, slot: number): void {
    const last = this.hazards.lastSlotOf(job.user);
    this.hazards.submitted(job, slot);
    if (last === slot) return;
    this.submissions++;
    if (last !== null) this.cycleOf(slot - last).happened(slot, 1);
  }

  slotEnded(slot: number): void {
    this.all.happened(slot, this.submissions);
    this.usual.add(slot, this.submissions);
    this.submissions = 0;
    this.hazards.slotEnded(slot);
    this.all.expect(slot + 1, this.usual.at(slot + 1));
    for (const { age, hazard } of this.hazards.expectedSubmissions(slot + 1)) {
      this.cycleOf(age).expect(slot + 1, hazard);
    }
  }

  expectedIn(slot: number): number {
    const factors = new Map(this.cycles.map((cycle) => [cycle, cycle.at(slot)]));
    let sum = 0;
    for (const { user, age, hazard } of this.hazards.expectedSubmissions(slot)) {
      sum += user.meanProcessors * Math.min(1, hazard * (factors.get(this.cycleOf(age)) as number));
    }
    return sum;
  }

  cycleAt(slot: number): number {
    return this.all.at(slot);
  }

  private cycleOf(age: number): WeekCycle {
    return age <= SLOTS_PER_HOUR ? this.cycles[0] : age <= SLOTS_PER_DAY / 2 ? this.cycles[1] : this.cycles[2];
  }
}
