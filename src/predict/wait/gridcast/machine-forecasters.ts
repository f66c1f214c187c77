import type { JobRequest } from '../../../domain/job.ts';
import type { Snapshot } from '../../../domain/snapshot.ts';
import { MadeOfState } from '../made-of-state.ts';
import { LaterForecaster, type LaterForecasterOptions } from './later-forecaster.ts';
import { jobAt, type MachineOfSite, machineFor, machinesIn, stateAt } from './machines.ts';
import type { SiteMemory } from './site-memory.ts';

/** Who forecasts a job, as it counts at its machine, and what the site says of that. */
export interface AtMachine<Job extends JobRequest> {
  readonly forecaster: LaterForecaster;
  readonly job: Job;
  readonly state: Snapshot;
}

type States = Map<string, Snapshot>;

/**
 * Forecasters of the machines of a site whose queues have nodes of their own, or that has GPUs: each learns from jobs
 * that nobody submits there. The machines that are seen first have one, `MOST_MACHINES` at most.
 */
export class MachineForecasters {
  private readonly forecasters: readonly LaterForecaster[];
  /** Of the machines that have one, in the order of these. */
  private readonly names: string[] = [];
  /** What was made of the newest state; it is known by its object. */
  private newest: { readonly state: Snapshot; readonly made: States } | null = null;
  private readonly others = new MadeOfState((): States => new Map());

  /** @param memory of the same site, taught by others */
  constructor(memory: SiteMemory, options: LaterForecasterOptions) {
    this.forecasters = Array.from({ length: MOST_MACHINES }, () => new LaterForecaster(memory, options));
  }

  /** As `LaterForecaster.leaveFitsToOthers`. */
  leaveFitsToOthers(): void {
    for (const forecaster of this.forecasters) forecaster.leaveFitsToOthers();
  }

  /** As `LaterForecaster.observe`. */
  observe(state: Snapshot, isOutside: boolean): void {
    this.newest = { state, made: new Map() };
    for (const machine of machinesIn(state)) {
      if (!this.names.includes(machine.name)) this.names.push(machine.name);
      this.forecasterOf(machine)?.observe(this.stateOf(machine, state), isOutside);
    }
  }

  /** As `LaterForecaster.remembered`. */
  remembered(): void {
    for (let n = 0; n < this.names.length; n++) this.forecasters[n]?.remembered();
  }

  /** Null for a job for which all of the site is one machine, or nobody watches its own. */
  of<Job extends JobRequest>(job: Job, state: Snapshot): AtMachine<Job> | null {
    const machine = machineFor(job, state);
    const forecaster = machine && this.forecasterOf(machine);
    return machine && forecaster ? { forecaster, job: jobAt(machine, job), state: this.stateOf(machine, state) } : null;
  }

  private forecasterOf({ name }: MachineOfSite): LaterForecaster | undefined {
    return this.forecasters[this.names.indexOf(name)];
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
