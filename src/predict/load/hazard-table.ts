import { keepClass } from '../../domain/kept-classes.ts';
import { AGE_STARTS, ageBinOf, lastAgeOf } from './ages.ts';

/**
 * The hazard of a submission by age: of all the slots in which a user had that age, the share in which one came. A new
 * inter-arrival time is taken in O(1). Source: the occurrence/exposure estimator of a piecewise constant hazard,
 * Kalbfleisch and Prentice, The Statistical Analysis of Failure Time Data, section 4.2; eq. 1 of
 * dinh-per-user-workload-prediction in discrete time.
 */
export class HazardTable {
  private readonly events = new Float64Array(AGE_STARTS.length);
  private readonly exposedSlots = new Float64Array(AGE_STARTS.length);

  /** Takes in a submission at an age in slots, at least 1, and the slots before it without one. */
  add(age: number): void {
    const bin = ageBinOf(age);
    for (let i = 0; i <= bin; i++) {
      const start = AGE_STARTS[i] as number;
      const slots = Math.min(age, lastAgeOf(i)) - start + 1;
      this.exposedSlots[i] = (this.exposedSlots[i] as number) + slots;
    }
    this.events[bin] = (this.events[bin] as number) + 1;
  }

  addAll(other: HazardTable): void {
    for (let i = 0; i < AGE_STARTS.length; i++) {
      this.events[i] = (this.events[i] as number) + (other.events[i] as number);
      this.exposedSlots[i] = (this.exposedSlots[i] as number) + (other.exposedSlots[i] as number);
    }
  }

  /**
   * The hazard in a bin of ages, drawn to what is believed beforehand.
   * @param prior a hazard
   * @param priorSlots how many exposed slots the prior counts for, above 0
   */
  at(bin: number, prior: number, priorSlots: number): number {
    return ((this.events[bin] as number) + priorSlots * prior) / ((this.exposedSlots[bin] as number) + priorSlots);
  }
}

keepClass(HazardTable);
