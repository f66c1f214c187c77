import type { Simulation } from '../../sim/simulate.ts';
import { type EstimateFigures, EstimateTally } from './estimate-tally.ts';
import type { Months } from './months.ts';
import { type WaitFigures, WaitTally } from './wait-tally.ts';

/** What a schedule came to: over the scored months, and in each month. */
export interface ScheduleFigures {
  readonly scored: WaitFigures & EstimateFigures;
  readonly months: readonly (WaitFigures & EstimateFigures)[];
}

/** A job's priority as it starts. */
export type PriorityOf = (job: { waitSeconds: number; requestedSeconds: number; processors: number }) => number;

/** Of WFP: Tang et al. 2013, eq. 5. What is requested counts, whatever the scheduler believes. */
export const WFP_PRIORITY: PriorityOf = ({ waitSeconds, requestedSeconds, processors }) =>
  (waitSeconds / requestedSeconds) ** 3 * processors;

/** Of first come, first served: who waited longest. */
export const FCFS_PRIORITY: PriorityOf = ({ waitSeconds }) => waitSeconds;

/** The priorities that the jobs of a schedule started with, by their numbers in the log. */
export function prioritiesOf(schedule: Simulation, priorityOf: PriorityOf): Map<number, number> {
  const { submitAt, startAt, walltimeSeconds, processors } = schedule.cluster.table.columns;
  const priorities = new Map<number, number>();
  for (const [row, number] of schedule.jobOf.entries()) {
    const waitSeconds = (startAt[row] as number) - (submitAt[row] as number);
    const size = { requestedSeconds: walltimeSeconds[row] as number, processors: processors[row] as number };
    priorities.set(number, priorityOf({ waitSeconds, ...size }));
  }
  return priorities;
}

/** @param before the priorities in the schedule to compare with */
export function figuresOf(
  schedule: Simulation,
  months: Months,
  priorityOf: PriorityOf,
  before: ReadonlyMap<number, number>,
): ScheduleFigures {
  const scored = newTallies();
  const byMonth = Array.from({ length: months.count }, newTallies);
  const priorities = prioritiesOf(schedule, priorityOf);
  const { submitAt, startAt, endAt, walltimeSeconds, believedSeconds } = schedule.cluster.table.columns;
  for (const [row, number] of schedule.jobOf.entries()) {
    const month = months.of(submitAt[row] as number);
    const ranSeconds = (endAt[row] as number) - (startAt[row] as number);
    const tallies = byMonth[month] as Tallies;
    for (const { waits, estimates } of month < months.firstScored ? [tallies] : [tallies, scored]) {
      waits.add({
        waitSeconds: (startAt[row] as number) - (submitAt[row] as number),
        ranSeconds,
        priority: priorities.get(number) ?? 0,
        priorityBefore: before.get(number) ?? 0,
      });
      estimates.add(walltimeSeconds[row] as number, ranSeconds, believedSeconds[row] as number);
    }
  }
  return { scored: figures(scored), months: byMonth.map(figures) };
}

interface Tallies {
  readonly waits: WaitTally;
  readonly estimates: EstimateTally;
}

function newTallies(): Tallies {
  return { waits: new WaitTally(), estimates: new EstimateTally() };
}

function figures({ waits, estimates }: Tallies): WaitFigures & EstimateFigures {
  return { ...waits.figures(), ...estimates.figures() };
}
