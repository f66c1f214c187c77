import type { SubmittedJob } from '../../domain/job.ts';
import { AGE_STARTS, ageBinOf } from './ages.ts';
import { HazardTable } from './hazard-table.ts';
import type { LoadModel } from './load-model.ts';
import { SLOTS_PER_DAY, SLOTS_PER_WEEK } from './slots.ts';
import { UserActivity } from './user-activity.ts';
import { type Grouping, groupUsers, type UserGroups } from './user-groups.ts';

export const HAZARD_DEFAULTS = {
  grouping: 'clustered' as Grouping,
  /** How many slots of everybody a group's own hazard has to outweigh. */
  priorSlots: 400,
};
export type HazardParameters = typeof HAZARD_DEFAULTS;

/** How likely a user submits in a slot. */
export interface ExpectedSubmission {
  readonly user: UserActivity;
  /** Slots since the last submission, at least 1. */
  readonly age: number;
  readonly hazard: number;
}

/**
 * Sum over users of processors times hazard (eq. 2 and 6 of dinh-per-user-workload-prediction), learned as it goes: a
 * user's hazard is that of the group at the same age and pace, drawn to everybody's, and the processors are those of
 * the user's last submissions. Takes a job in O(1).
 */
export class HazardModel implements LoadModel {
  private readonly users = new Map<string, UserActivity>();
  private readonly everybody = new Map<number, HazardTable>();
  private tables = new Map<string, HazardTable>();
  private groups: UserGroups;
  private groupedAt: number | null = null;

  constructor(private readonly parameters: HazardParameters = HAZARD_DEFAULTS) {
    this.groups = groupUsers([], parameters.grouping);
  }

  submitted({ user, processors }: SubmittedJob, slot: number): void {
    const name = user ?? '';
    const known = this.users.get(name);
    if (known?.slot === slot) {
      known.more(processors);
      return;
    }
    const activity = known ?? new UserActivity(slot);
    if (known) this.learn(name, known, slot - known.slot);
    else this.users.set(name, activity);
    activity.begin(slot, processors);
  }

  slotEnded(slot: number): void {
    this.groupedAt ??= slot;
    if (slot - this.groupedAt < SLOTS_PER_WEEK) return;
    this.groupedAt = slot;
    this.regroup(slot);
  }

  expectedIn(slot: number): number {
    let sum = 0;
    for (const { user, hazard } of this.expectedSubmissions(slot)) sum += user.meanProcessors * hazard;
    return sum;
  }

  cycleAt(): number {
    return 1;
  }

  /** Of every user who was there in the last two months, had nobody submitted since what was told last. */
  *expectedSubmissions(slot: number): Generator<ExpectedSubmission> {
    for (const [name, user] of this.users) {
      const age = slot - user.slot;
      if (age < 1 || age > LONGEST_AGE) continue;
      yield { user, age, hazard: this.hazardOf(name, user.pace(), ageBinOf(age)) };
    }
  }

  /** The slot of a user's last submission; null of one never seen. */
  lastSlotOf(user: string | null): number | null {
    return this.users.get(user ?? '')?.slot ?? null;
  }

  private hazardOf(name: string, pace: number, bin: number): number {
    const all = this.everybody.get(pace)?.at(bin, UNKNOWN_HAZARD[bin] as number, 1) ?? (UNKNOWN_HAZARD[bin] as number);
    return this.tables.get(this.keyOf(name, pace))?.at(bin, all, this.parameters.priorSlots) ?? all;
  }

  private learn(name: string, user: UserActivity, age: number): void {
    const pace = user.pace();
    user.table(pace).add(age);
    user.gaps.add(age);
    tableIn(this.everybody, pace).add(age);
    tableIn(this.tables, this.keyOf(name, pace)).add(age);
  }

  /** Forgets who was away for a year, and groups the others anew. */
  private regroup(slot: number): void {
    for (const [name, { slot: last }] of this.users) if (slot - last > FORGOTTEN_AGE) this.users.delete(name);
    const summaries = [...this.users].map(([user, { processors, gaps }]) => ({ user, processors, gaps }));
    this.groups = groupUsers(summaries, this.parameters.grouping);
    this.tables = new Map();
    for (const [name, user] of this.users) {
      for (const [pace, table] of user.tables) tableIn(this.tables, this.keyOf(name, pace)).addAll(table);
    }
  }

  private keyOf(name: string, pace: number): string {
    return `${this.groups.of.get(name) ?? this.groups.usual} ${pace}`;
  }
}

function tableIn<Key>(tables: Map<Key, HazardTable>, key: Key): HazardTable {
  let table = tables.get(key);
  if (!table) {
    table = new HazardTable();
    tables.set(key, table);
  }
  return table;
}

/** Believed of an age before anything is known: about as likely in each half octave. */
const UNKNOWN_HAZARD = AGE_STARTS.map((age) => 0.1 / age);
const LONGEST_AGE = 60 * SLOTS_PER_DAY;
const FORGOTTEN_AGE = 365 * SLOTS_PER_DAY;
