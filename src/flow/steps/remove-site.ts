import { finishRemoval, type SiteRow } from '../../store/sites.ts';
import { assertTurn, type Turn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import { commitStep, type Next } from '../turn.ts';

/** Lets a site go at which nothing of ours is left. It gets no turn any more. */
export function removeSiteStep(context: FlowContext, turn: Turn, site: SiteRow): Promise<Next> {
  return commitStep(context, turn, { wakeAt: null }, async (tx) => {
    await assertTurn(tx, turn);
    await finishRemoval(tx, site.id, context.clock.now());
    context.logger.info({ site: site.name }, 'removed');
  });
}
