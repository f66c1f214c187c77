import { DAY_SECONDS, type EpochSeconds } from '../../domain/clock.ts';
import type { ExperimentRow } from '../experiment.ts';
import type { GroupOutcome } from './co-allocation-group.ts';
import { CoAllocationTally, type PromisedOfGroup } from './co-allocation-tally.ts';

/** All groups of a user, and those of the sites' first days by themselves. Clocks begin at 0. */
export class GroupTallyByAge {
  private all = new CoAllocationTally();
  private young = new CoAllocationTally();

  /** @param youngDays how long sites count as young; 0 for no such row */
  constructor(private readonly youngDays: number) {}

  add(outcome: GroupOutcome, promised: PromisedOfGroup, promisedAt: EpochSeconds): void {
    for (const tally of this.talliesAt(promisedAt)) tally.add(outcome, promised);
  }

  addRefusal(bestOffer: number, at: EpochSeconds): void {
    for (const tally of this.talliesAt(at)) tally.addRefusal(bestOffer);
  }

  rows(name: string): ExperimentRow[] {
    const all = this.all.row(name);
    return this.youngDays === 0 ? [all] : [all, this.young.row(`${name}/first ${this.youngDays} days`)];
  }

  /** The tallies of several users as one. */
  static sum(tallies: readonly GroupTallyByAge[]): GroupTallyByAge {
    const sum = new GroupTallyByAge(tallies[0]?.youngDays ?? 0);
    sum.all = CoAllocationTally.sum(tallies.map(({ all }) => all));
    sum.young = CoAllocationTally.sum(tallies.map(({ young }) => young));
    return sum;
  }

  private talliesAt(at: EpochSeconds): CoAllocationTally[] {
    return at < this.youngDays * DAY_SECONDS ? [this.all, this.young] : [this.all];
  }
}
