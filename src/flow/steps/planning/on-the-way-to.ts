import type { EpochSeconds } from '../../../domain/clock.ts';
import { couldBeOvertaken } from '../../../plan/job/overtaken.ts';
import type { ExecutionRow } from '../../../store/executions.ts';
import { findOnTheWay } from '../../../store/on-the-way.ts';
import type { SiteRow } from '../../../store/sites.ts';
import type { FlowContext } from '../../context.ts';

/** The executions on their way to some sites that may change the plan of another; none where it has no choice. */
export async function onTheWayTo(
  { database }: FlowContext,
  execution: ExecutionRow,
  sites: readonly SiteRow[],
  now: EpochSeconds,
): Promise<ReadonlySet<string>> {
  if (!couldBeOvertaken(execution, sites)) return new Set();
  return findOnTheWay(
    database.db,
    sites.map(({ id }) => id),
    now,
  );
}
