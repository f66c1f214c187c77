import { twoStandardErrors } from '../../stats/two-standard-errors.ts';
import type { ExperimentRow } from '../experiment.ts';
import type { GroupOutcome } from './co-allocation-group.ts';

/** What was promised of a group, as if its legs were independent and by what is known of their dependence. */
export interface PromisedOfGroup {
  readonly independent: number;
  readonly pessimistic: number;
}

/** What became of the groups of one kind. */
export class CoAllocationTally {
  private groups = 0;
  private succeeded = 0;
  private promised = 0;
  private pessimistic = 0;
  private refusals = 0;
  private bestOffers = 0;
  private required = 0;
  private padding = 0;
  private lost = 0;
  private cancelledLosers = 0;
  private lateWinners = 0;

  add(outcome: GroupOutcome, promised: PromisedOfGroup): void {
    this.groups++;
    if (outcome.succeeded) this.succeeded++;
    this.promised += promised.independent;
    this.pessimistic += promised.pessimistic;
    this.required += outcome.required;
    this.padding += outcome.padding;
    this.lost += outcome.lost;
    this.cancelledLosers += outcome.cancelledLosers;
    this.lateWinners += outcome.lateWinners;
  }

  addRefusal(bestOffer: number): void {
    this.refusals++;
    this.bestOffers += bestOffer;
  }

  row(name: string): ExperimentRow {
    const actual = this.succeeded / this.groups;
    const promised = this.promised / this.groups;
    return {
      name,
      groups: this.groups,
      promisedJoint: rounded(promised),
      pessimisticJoint: rounded(this.pessimistic / this.groups),
      actualShare: rounded(actual),
      difference: rounded(actual - promised),
      twoStandardErrors: rounded(twoStandardErrors(actual, this.groups)),
      requiredProcessorHours: Math.round(this.required / 3600),
      paddingProcessorHours: Math.round(this.padding / 3600),
      lostProcessorHours: Math.round(this.lost / 3600),
      chargeRatio: rounded((this.required + this.padding + this.lost) / this.required),
      cancelledLosers: this.cancelledLosers,
      lateWinners: this.lateWinners,
      refusals: this.refusals,
      meanBestOffer: rounded(this.bestOffers / this.refusals),
    };
  }

  /** The tallies of several kinds as one. */
  static sum(tallies: readonly CoAllocationTally[]): CoAllocationTally {
    const all = new CoAllocationTally();
    for (const one of tallies) {
      for (const key of Object.keys(one) as (keyof CoAllocationTally)[]) {
        Object.assign(all, { [key]: Number(all[key]) + Number(one[key]) });
      }
    }
    return all;
  }
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
