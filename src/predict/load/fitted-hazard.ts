import type { EpochSeconds } from '../../domain/clock.ts';
import type { SubmittedJob } from '../../domain/job.ts';
import { GapMoments } from './gap-moments.ts';
import { type HazardCurve, type HazardShape, hazardAt, hazardCurve } from './hazard-curve.ts';
import type { LoadModel } from './load-model.ts';
import { SLOTS_PER_DAY } from './slots.ts';
import { TRAINING_DEFAULTS, Training } from './training.ts';
import { type Grouping, groupUsers, type UserGroups } from './user-groups.ts';

export const FITTED_HAZARD_DEFAULTS = {
  ...TRAINING_DEFAULTS,
  grouping: 'clustered' as Grouping,
  shape: 'gamma' as HazardShape,
};
export type FittedHazardParameters = typeof FITTED_HAZARD_DEFAULTS;

/** Jobs of one user that come less than ten seconds apart. */
interface Batch {
  readonly user: string;
  readonly slot: number;
  lastAt: EpochSeconds;
  processors: number;
}

/** What was learned of a group of users, as if it were one. */
interface GroupHazard {
  readonly meanProcessors: number;
  readonly curve: HazardCurve;
}

/**
 * The estimator of dinh-per-user-workload-prediction as it is printed: batches, the hazard of each group's
 * inter-arrival times fitted in bulk, and the sum of mean processors times hazard since each group's last batch (eq.
 * 6). Users who were not there when it learned belong to the largest cluster.
 */
export class FittedHazard implements LoadModel {
  private readonly training: Training;
  private batches: Batch[] = [];
  private readonly lastOfUser = new Map<string, Batch>();
  private readonly lastSlotOfGroup = new Map<string, number>();
  private groups: UserGroups | null = null;
  private hazards: ReadonlyMap<string, GroupHazard> = new Map();

  constructor(private readonly parameters: FittedHazardParameters = FITTED_HAZARD_DEFAULTS) {
    this.training = new Training(parameters);
  }

  submitted({ user, processors, submitAt }: SubmittedJob, slot: number): void {
    const name = user ?? '';
    const last = this.lastOfUser.get(name);
    if (last && submitAt - last.lastAt < BATCH_SECONDS) {
      last.lastAt = Math.max(last.lastAt, submitAt);
      last.processors += processors;
      return;
    }
    const batch = { user: name, slot, lastAt: submitAt, processors };
    this.lastOfUser.set(name, batch);
    if (this.groups) this.lastSlotOfGroup.set(groupOf(this.groups, name), slot);
    if (this.training.isOver) return;
    this.batches.push(batch);
    if (this.batches.length > MOST_BATCHES) this.batches = this.batches.slice(-MOST_BATCHES / 2);
  }

  slotEnded(slot: number): void {
    if (!this.training.isDueAfter(slot)) return;
    for (const [name, batch] of this.lastOfUser) if (slot - batch.slot > FORGOTTEN_SLOTS) this.lastOfUser.delete(name);
    this.relearn();
    if (this.training.isOver) this.batches = [];
  }

  expectedIn(slot: number): number {
    let sum = 0;
    for (const [group, { meanProcessors, curve }] of this.hazards) {
      const last = this.lastSlotOfGroup.get(group);
      if (last !== undefined && slot > last) sum += meanProcessors * hazardAt(curve, slot - last);
    }
    return sum;
  }

  cycleAt(): number {
    return 1;
  }

  private relearn(): void {
    const groups = groupUsers(summariesOf(this.batches), this.parameters.grouping);
    const byGroup = batchesBy(this.batches, ({ user }) => groupOf(groups, user));
    this.groups = groups;
    this.lastSlotOfGroup.clear();
    this.hazards = new Map(
      [...byGroup].map(([group, batches]): [string, GroupHazard] => {
        this.lastSlotOfGroup.set(group, (batches.at(-1) as Batch).slot);
        const processors = batches.reduce((sum, batch) => sum + batch.processors, 0);
        return [
          group,
          { meanProcessors: processors / batches.length, curve: hazardCurve(gapsOf(batches), this.parameters.shape) },
        ];
      }),
    );
  }
}

function groupOf(groups: UserGroups, user: string): string {
  return groups.of.get(user) ?? groups.usual;
}

function batchesBy(batches: readonly Batch[], keyOf: (batch: Batch) => string): Map<string, Batch[]> {
  const groups = new Map<string, Batch[]>();
  for (const batch of batches) {
    const group = groups.get(keyOf(batch));
    if (group) group.push(batch);
    else groups.set(keyOf(batch), [batch]);
  }
  return groups;
}

function summariesOf(batches: readonly Batch[]) {
  return [...batchesBy(batches, ({ user }) => user)].map(([user, own]) => {
    const gaps = new GapMoments();
    for (const gap of gapsOf(own)) gaps.add(gap);
    return { user, processors: own.reduce((sum, batch) => sum + batch.processors, 0), gaps };
  });
}

function gapsOf(batches: readonly Batch[]): number[] {
  return batches.slice(1).map(({ slot }, i) => slot - (batches[i] as Batch).slot);
}

const BATCH_SECONDS = 10;
const MOST_BATCHES = 400_000;
const FORGOTTEN_SLOTS = 365 * SLOTS_PER_DAY;
