import { invariant, StaleTurn } from '../../domain/failures.ts';
import { submissionKey } from '../../domain/submission.ts';
import { sizeAt } from '../../plan/job/size-at-site.ts';
import { whatIntentMeans } from '../../plan/reservation/life.ts';
import { loadCandidate } from '../../store/candidates.ts';
import { readScript } from '../../store/scripts.ts';
import { intendSubmission } from '../../store/submissions.ts';
import type { ExecutionInHand } from '../in-hand.ts';
import { siteOf } from '../site-of.ts';
import type { Next } from '../turn.ts';
import { writeMoves } from '../write-moves.ts';
import { handOver } from './submission/hand-over.ts';
import { nativeSpec } from './submission/native-spec.ts';
import { inFolder } from './submission/stage-first.ts';

/** Hands a held execution to its site. The intent and its key are on record before the adapter is called. */
export async function submitStep(inHand: ExecutionInHand): Promise<Next> {
  const { context, execution, reservation } = inHand;
  const begunAt = performance.now();
  const now = context.clock.now();
  const site = await siteOf(context, execution);
  const attempt = execution.attempts + 1;
  const key = submissionKey(execution.id, attempt);
  const script = await readScript(context.database.db, execution.scriptHash);
  invariant(script !== null, `execution ${execution.id} has lost its script before its end`);
  const candidate = await loadCandidate(context.database.db, execution.tenantId, site, now);
  const spec = await inFolder(context, execution, nativeSpec(execution, script, reservation, candidate, now));
  const queue = candidate.queues.find(({ name }) => name === spec.queue) ?? null;
  const { billedProcessors } = sizeAt(spec, queue, candidate);
  const moves = whatIntentMeans(execution, spec.walltimeSeconds, billedProcessors, now);
  await writeMoves(inHand, moves, (tx) =>
    intendSubmission(tx, {
      key,
      executionId: execution.id,
      siteId: site.id,
      attempt,
      queue: spec.queue,
      user: candidate.identity?.user ?? null,
      account: spec.terms?.account ?? null,
      qos: spec.terms?.qos ?? null,
      intendedAt: now,
    }),
  );
  const submitting = { ...inHand, execution: { ...execution, state: 'SUBMITTING' as const, attempts: attempt } };
  // A worker that was paused here for longer than its lease may have been replaced: the heir decides what became of the
  // key.
  if (performance.now() - begunAt > context.settings.leaseMilliseconds)
    throw new StaleTurn(`execution ${execution.id}`);
  return handOver(submitting, site, { key, spec, now });
}
