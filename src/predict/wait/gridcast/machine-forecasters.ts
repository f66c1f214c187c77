import type { JobRequest } from '../../../domain/job.ts';
import type { Snapshot } from '../../../domain/snapshot.ts';
import { SiteRange } from '../../range/site-range.ts';
import { MadeOfState } from '../made-of-state.ts';
import { LaterForecaster } from './later-forecaster.ts';
import { jobAt, type MachineOfSite, machineFor, machinesIn, stateAt } from './machines.ts';
import type { SiteMemory } from './site-memory.ts';

/** Who forecasts a job, as it counts at its machine, and what the site says of that. */
export interface AtMachine<Job extends JobRequest> {
  readonly forecaster: LaterForecaster;
  /** In which that machine has been seen. */
  readonly range: SiteRange;
  readonly job: Job;
  readonly state: Snapshot;
}

type States = Map<string, Snapshot>;

/** A machine is busier or slower than it is known while the site as a whole is not: each has a range of its own. */
interface WatchedMachine {
  readonly forecaster: LaterForecaster;
  readonly range: SiteRange;
}

/**
 * Forecasters of the machines of a site whose queues have nodes of their own, or that has GPUs: each learns from jobs
 * that nobody submits there. The machines that are seen first have one, `MOST_MACHINES` at most.
 */
export class MachineForecasters {
  private readonly watched: readonly WatchedMachine[];
  /** Of the machines that have one, in the order of these. */
  private readonly names: string[] = [];
  /** What was made of the newest state; it is known by its object. */
  private newest: { readonly state: Snapshot; readonly made: States } | null = null;
  private readonly others = new MadeOfState((): States => new Map());

  /**
   * @param memory of the same site, taught by others
   * @param heedsPresent whether forecasts are made at the pace of the last hours while a machine is unfamiliar
   */
  constructor(
    memory: SiteMemory,
    private readonly heedsPresent: boolean,
  ) {
    this.watched = Array.from({ length: MOST_MACHINES }, () => {
      const range = new SiteRange();
      const heedsPace = () => heedsPresent && range.isUnfamiliar;
      return { range, forecaster: new LaterForecaster(memory, { heedsPace }) };
    });
  }

  /** As `LaterForecaster.leaveFitsToOthers`. */
  leaveFitsToOthers(): void {
    for (const { forecaster } of this.watched) forecaster.leaveFitsToOthers();
  }

  /** As `LaterForecaster.observe`. */
  observe(state: Snapshot): void {
    this.newest = { state, made: new Map() };
    for (const machine of machinesIn(state)) {
      if (!this.names.includes(machine.name)) this.names.push(machine.name);
      const watched = this.watchedOf(machine);
      if (!watched) continue;
      const { forecaster, range } = watched;
      const there = this.stateOf(machine, state);
      forecaster.observe(there, this.heedsPresent && range.outside !== null);
      range.observe(there, forecaster.pace.lateness);
    }
  }

  /** As `LaterForecaster.remembered`. */
  remembered(): void {
    for (let n = 0; n < this.names.length; n++) this.watched[n]?.forecaster.remembered();
  }

  /** Null for a job for which all of the site is one machine, or nobody watches its own. */
  of<Job extends JobRequest>(job: Job, state: Snapshot): AtMachine<Job> | null {
    const machine = machineFor(job, state);
    const watched = machine && this.watchedOf(machine);
    return machine && watched ? { ...watched, job: jobAt(machine, job), state: this.stateOf(machine, state) } : null;
  }

  private watchedOf({ name }: MachineOfSite): WatchedMachine | undefined {
    return this.watched[this.names.indexOf(name)];
  }

  private stateOf(machine: MachineOfSite, state: Snapshot): Snapshot {
    const made = this.newest?.state === state ? this.newest.made : this.others.of(state);
    const known = made.get(machine.name) ?? stateAt(machine, state);
    made.set(machine.name, known);
    return known;
  }
}

/** Each costs as much as forecasting a site. */
const MOST_MACHINES = 6;
