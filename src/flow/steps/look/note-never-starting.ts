import type { Snapshot } from '../../../domain/snapshot.ts';
import { holdsInEveryQueue, startsNever } from '../../../plan/refusals.ts';
import { withMoments } from '../../../store/moments.ts';
import { noteRefusal } from '../../../store/refusals.ts';
import type { FlowContext } from '../../context.ts';
import { scopeFor } from '../refusals/refusals.ts';

/**
 * Keeps in mind what a site has taken in and, by its own word, never starts: to others of the tenant that is as good as
 * a refusal. Of many that are alike one tells it. The jobs themselves stay where they are: an admin may lift a limit.
 */
export async function noteNeverStarting(
  { clock, database, settings }: FlowContext,
  siteId: string,
  { waiting }: Snapshot,
): Promise<void> {
  const stuck = waiting.filter(({ key, reason }) => key !== null && startsNever(reason ?? ''));
  const alike = stuck.map((job) => [JSON.stringify([job.queue, job.processors, job.requestedWalltimeSeconds]), job]);
  const reasons = new Map(
    [...new Map(alike as [string, (typeof stuck)[number]][]).values()]
      .slice(0, MOST_NOTED)
      .map(({ key, reason }) => [key ?? '', reason ?? '']),
  );
  if (reasons.size === 0) return;
  const accepted = { key: { in: [...reasons.keys()] }, siteId, state: 'ACCEPTED' as const };
  const found = await database.db.submission.findMany({ where: accepted, include: { execution: true } });
  const refusedAt = clock.now();
  await database.transaction(async (tx) => {
    for (const { key, queue, account, qos, execution } of found) {
      const { tenantId, processors, walltimeSeconds, submittedWalltimeSeconds } = execution;
      const siteSays = reasons.get(key) ?? '';
      const scope = scopeFor(withMoments(execution), siteSays, siteId);
      const size = { processors, walltimeSeconds: submittedWalltimeSeconds ?? walltimeSeconds };
      const where = { siteId, tenantId, queue: holdsInEveryQueue(scope, siteSays) ? null : queue };
      const until = refusedAt + settings.refusalSeconds;
      await noteRefusal(tx, { ...where, ...size }, { scope, siteSays, refusedAt, until, account, qos });
    }
  });
}

const MOST_NOTED = 32;
