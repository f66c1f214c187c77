import type { ExecutionRow } from '../../store/executions.ts';
import type { ApiContext } from '../context.ts';

/**
 * Whether more is to come of a thing: `OPEN` it may still change, `ENDED` all that is missing is what it is charged,
 * `SETTLED` it stays as it is.
 */
export type Standing = 'OPEN' | 'ENDED' | 'SETTLED';

/** How the things stand that can be followed, by their type. One that is gone is open. */
export const STANDINGS = {
  async Job({ loaders }: ApiContext, id: string): Promise<Standing> {
    return standingOf([await loaders.execution.load(id)]);
  },
  async Reservation({ loaders }: ApiContext, id: string): Promise<Standing> {
    const row = await loaders.reservation.load(id);
    return row === null ? 'OPEN' : standingOf([await loaders.execution.load(row.executionId)]);
  },
  async CoAllocation({ loaders }: ApiContext, id: string): Promise<Standing> {
    const row = await loaders.coAllocation.load(id);
    if (row === null || row.state === 'PENDING') return 'OPEN';
    const legs = await loaders.legsOf.load(id);
    return standingOf(await Promise.all(legs.map(({ executionId }) => loaders.execution.load(executionId))));
  },
  async Site({ loaders }: ApiContext, id: string): Promise<Standing> {
    const row = await loaders.site.load(id);
    return row !== null && row.removedAt !== null ? 'SETTLED' : 'OPEN';
  },
  async JobGroup({ loaders }: ApiContext, id: string): Promise<Standing> {
    const row = await loaders.jobGroup.load(id);
    return row === null || row.endedAt === null ? 'OPEN' : 'SETTLED';
  },
} as const;

function standingOf(executions: readonly (ExecutionRow | null)[]): Standing {
  if (executions.some((execution) => execution?.state !== 'ENDED')) return 'OPEN';
  return executions.some((execution) => execution?.settledAt === null) ? 'ENDED' : 'SETTLED';
}
