import type { EpochSeconds } from '../../domain/clock.ts';
import type { Trajectory } from '../../domain/plan.ts';
import { aimedOfLeg, asPromises, legMarginAfter, type PromiseOutcome, promisableOfLegs } from '../../plan/aim.ts';
import { mostProbablePoint } from '../../plan/trajectory.ts';
import type { ForecastOutcome } from '../../predict/dependence.ts';
import type { ReservedWork } from '../varq/promising-site.ts';
import type { VarqReservation } from '../varq/varq-reservation.ts';
import type { VarqSite } from '../varq/varq-site.ts';

/** A simulated site among others, whose clocks all begin at 0, with what was learned from the promises at it. */
export class GroupSite {
  /** How forecasts came out, oldest first. */
  readonly forecastOutcomes: ForecastOutcome[] = [];
  private readonly outcomes: PromiseOutcome[] = [];
  private promisable: readonly number[] = [];

  constructor(
    readonly site: VarqSite,
    /** What the site's clock says at 0. */
    readonly beginsAt: EpochSeconds,
    /** Least number of processors that its jobs have. */
    readonly node: number,
  ) {
    this.promisable = this.promisableByPercent();
  }

  /** The trajectory with the probabilities that may be promised in place of those forecast: 0 while nothing may. */
  promisableTrajectory(work: ReservedWork): Trajectory {
    const trajectory = this.site.trajectoryOf(work);
    if (this.site.withholds(work)) return asPromises(trajectory, () => 0);
    const besideHeld = this.site.trajectoryBesideHeld(work) ?? trajectory;
    const most = mostProbablePoint(besideHeld)?.probability ?? 0;
    return asPromises(trajectory, (said) => this.promisable[Math.round(Math.min(said, most) * 100)] ?? 0);
  }

  /** What is aimed at for a leg. */
  aimFor(probability: number): number {
    return aimedOfLeg(probability, legMarginAfter(probability, this.outcomes));
  }

  /** Learns from a promise whose end was left to the site alone. */
  learn(reservation: VarqReservation): void {
    const { state, lateness, submittedAt, terms } = reservation;
    if (state !== 'KEPT' && state !== 'MISSED') return;
    this.outcomes.push({ probability: terms.probability, kept: state === 'KEPT' });
    if (this.outcomes.length > MOST_OUTCOMES) this.outcomes.shift();
    if (lateness !== null && submittedAt !== null) {
      this.forecastOutcomes.push({ at: submittedAt - this.beginsAt, lateness });
    }
    this.promisable = this.promisableByPercent();
  }

  private promisableByPercent(): number[] {
    return promisableOfLegs((probability) => legMarginAfter(probability, this.outcomes));
  }
}

const MOST_OUTCOMES = 200;
