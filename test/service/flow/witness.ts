import { workBeganAt } from '../../../src/plan/reservation/life.ts';
import { withMoments } from '../../../src/store/moments.ts';
import { countJobsInForce } from '../jobs-in-force.ts';
import type { SteppedWorld } from './stepped-world.ts';

/** What is left of a world when everything in it should be over. */
export interface Verdict {
  /**
   * Executions without a final state, an outcome and, unless they completed, a reason; or that a site is said to have
   * lost.
   */
  readonly lost: readonly string[];
  /** Executions with more than one native job in force, by the sites' journals. */
  readonly duplicated: readonly string[];
  /** Native jobs of ours that wait or run. */
  readonly leftovers: readonly string[];
  /** Executions whose work began before one that they come after had ended. */
  readonly early: readonly string[];
  /** Reservations and co-allocations that are not decided. */
  readonly undecided: readonly string[];
  readonly nativeJobs: number;
}

export const CLEAN = { lost: [], duplicated: [], leftovers: [], early: [], undecided: [] };

/** Judges a world by its tables and by the sites' own journals. */
export async function judge(world: SteppedWorld): Promise<Verdict> {
  const { db } = world.database;
  const executions = await db.execution.findMany({ include: { reservation: true } });
  const groups = await db.coAllocation.findMany();
  const dependencies = await db.dependency.findMany({ include: { execution: true, predecessor: true } });
  const sites = [...world.siteIds.keys()];
  const journals = sites.map((site) => world.journal(site));
  const inForce = countJobsInForce(journals);
  const isFinal = (execution: (typeof executions)[number]) =>
    execution.state === 'ENDED' &&
    execution.settledAt !== null &&
    (execution.outcome === 'COMPLETED' || (execution.reason !== null && execution.outcome !== 'LOST'));
  const open = executions.filter(
    ({ reservation }) => reservation && !['KEPT', 'MISSED', 'CANCELLED'].includes(reservation.state),
  );
  return {
    lost: executions
      .filter((execution) => !isFinal(execution))
      .map(({ name, state, outcome }) => `${name} ${state} ${outcome}`),
    duplicated: executions.flatMap(({ id, name }) => ((inForce.get(id.replaceAll('-', '')) ?? 0) > 1 ? [name] : [])),
    leftovers: sites.flatMap((name) => {
      const { waiting, running } = world.site(name).snapshot();
      return [...waiting, ...running].flatMap(({ key }) => key ?? []);
    }),
    early: dependencies.flatMap(({ execution, predecessor: { endedAt } }) => {
      const beganAt = workBeganAt(withMoments(execution));
      return beganAt !== null && (endedAt === null || beganAt < endedAt.getTime() / 1000) ? [execution.name] : [];
    }),
    undecided: [
      ...open.map(({ name }) => name),
      ...groups.filter(({ state }) => state === 'PENDING').map(({ id }) => id),
    ],
    nativeJobs: journals.flat().filter(({ kind }) => kind === 'submit').length,
  };
}
