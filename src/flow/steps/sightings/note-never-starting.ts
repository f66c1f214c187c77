import type { Snapshot } from '../../../domain/snapshot.ts';
import { submissionKey } from '../../../domain/submission.ts';
import { holdsInEveryQueue, startsNever } from '../../../plan/refusals.ts';
import { isNeverStarted } from '../../../plan/reservation/life.ts';
import type { ExecutionRow } from '../../../store/executions.ts';
import { saveNeverStarting } from '../../../store/never-starting.ts';
import { noteRefusal, type RefusedSubmission, type SaidOfSubmission } from '../../../store/refusals.ts';
import type { FlowContext } from '../../context.ts';
import { scopeFor } from '../refusals/refusals.ts';

/** What was taken in, and what the site says of it. */
interface Stuck {
  readonly submission: RefusedSubmission;
  readonly said: Omit<SaidOfSubmission, 'refusedAt' | 'until'>;
}

/**
 * Keeps in mind what a site has taken in and, by its own word, never starts. To others of the tenant that is as good as
 * a refusal: of many that are alike one tells it. The jobs themselves look, each in its turn, whether another site
 * takes them.
 */
export async function noteNeverStarting(
  context: FlowContext,
  siteId: string,
  tracked: readonly ExecutionRow[],
  { waiting }: Snapshot,
): Promise<void> {
  const words = new Map<string, string>();
  const hopeful = new Set<string>();
  for (const { key, reason } of waiting) {
    if (key === null) continue;
    if (!reason || !startsNever(reason)) hopeful.add(key);
    else if (words.size < MOST_READ) words.set(key, reason);
  }
  const queued = tracked.filter(({ state }) => state === 'QUEUED');
  const stuck = queued.filter((execution) => words.has(keyOf(execution)));
  const begun = stuck.filter((execution) => !isNeverStarted(execution));
  const over = queued.filter((execution) => isNeverStarted(execution) && hopeful.has(keyOf(execution)));
  const told = begun.map((execution) => {
    const key = keyOf(execution);
    return [key, { executionId: execution.id, siteSays: words.get(key) ?? '' }] as const;
  });
  const changed = { begun: new Map(told), over: over.map(({ id }) => id) };
  await saveNeverStarting(context.database, siteId, changed, context.clock.now());
  if (stuck.length > 0) await noteForOthers(context, siteId, stuck, words);
}

async function noteForOthers(
  { clock, database, settings }: FlowContext,
  siteId: string,
  stuck: readonly ExecutionRow[],
  words: ReadonlyMap<string, string>,
): Promise<void> {
  const byKey = new Map(stuck.map((execution) => [keyOf(execution), execution]));
  const accepted = { key: { in: [...byKey.keys()] }, siteId, state: 'ACCEPTED' as const };
  const unlike = new Map<string, Stuck>();
  for (const { key, queue, account, qos } of await database.db.submission.findMany({ where: accepted })) {
    const execution = byKey.get(key);
    if (!execution) continue;
    const siteSays = words.get(key) ?? '';
    const scope = scopeFor(execution, siteSays, siteId);
    const { tenantId, processors, walltimeSeconds, submittedWalltimeSeconds } = execution;
    const size = { processors, walltimeSeconds: submittedWalltimeSeconds ?? walltimeSeconds };
    const submission = { siteId, tenantId, queue: holdsInEveryQueue(scope, siteSays) ? null : queue, ...size };
    const one = { submission, said: { scope, siteSays, account, qos } };
    unlike.set(JSON.stringify(one), one);
  }
  const refusedAt = clock.now();
  const until = refusedAt + settings.refusalSeconds;
  await database.transaction(async (tx) => {
    for (const { submission, said } of [...unlike.values()].slice(0, MOST_NOTED)) {
      await noteRefusal(tx, submission, { ...said, refusedAt, until });
    }
  });
}

function keyOf({ id, attempts }: ExecutionRow): string {
  return submissionKey(id, attempts);
}

/** Jobs of one look. */
const MOST_READ = 500;
const MOST_NOTED = 32;
