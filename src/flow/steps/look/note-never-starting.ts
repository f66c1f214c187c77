import type { Snapshot } from '../../../domain/snapshot.ts';
import { holdsInEveryQueue, startsNever } from '../../../plan/refusals.ts';
import { withMoments } from '../../../store/moments.ts';
import { noteRefusal, type RefusedSubmission, type SaidOfSubmission } from '../../../store/refusals.ts';
import type { FlowContext } from '../../context.ts';
import { scopeFor } from '../refusals/refusals.ts';

/** What was taken in, and what the site says of it. */
interface Stuck {
  readonly submission: RefusedSubmission;
  readonly said: Omit<SaidOfSubmission, 'refusedAt' | 'until'>;
}

/**
 * Keeps in mind what a site has taken in and, by its own word, never starts: to others of the tenant that is as good as
 * a refusal. Of many that are alike one tells it. The jobs themselves stay where they are: an admin may lift a limit.
 */
export async function noteNeverStarting(
  { clock, database, settings }: FlowContext,
  siteId: string,
  { waiting }: Snapshot,
): Promise<void> {
  const words = new Map<string, string>();
  for (const { key, reason } of waiting) {
    if (key !== null && reason && startsNever(reason) && words.size < MOST_READ) words.set(key, reason);
  }
  if (words.size === 0) return;
  const accepted = { key: { in: [...words.keys()] }, siteId, state: 'ACCEPTED' as const };
  const found = await database.db.submission.findMany({ where: accepted, include: { execution: true } });
  const unlike = new Map<string, Stuck>();
  for (const { key, queue, account, qos, execution } of found) {
    const siteSays = words.get(key) ?? '';
    const scope = scopeFor(withMoments(execution), siteSays, siteId);
    const { tenantId, processors, walltimeSeconds, submittedWalltimeSeconds } = execution;
    const size = { processors, walltimeSeconds: submittedWalltimeSeconds ?? walltimeSeconds };
    const submission = { siteId, tenantId, queue: holdsInEveryQueue(scope, siteSays) ? null : queue, ...size };
    const stuck = { submission, said: { scope, siteSays, account, qos } };
    unlike.set(JSON.stringify(stuck), stuck);
  }
  const refusedAt = clock.now();
  const until = refusedAt + settings.refusalSeconds;
  await database.transaction(async (tx) => {
    for (const { submission, said } of [...unlike.values()].slice(0, MOST_NOTED)) {
      await noteRefusal(tx, submission, { ...said, refusedAt, until });
    }
  });
}

/** Jobs of one look. */
const MOST_READ = 500;
const MOST_NOTED = 32;
