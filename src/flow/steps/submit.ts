import type { EpochSeconds } from '../../domain/clock.ts';
import { invariant, SiteFailure, StaleTurn } from '../../domain/failures.ts';
import type { JobSpec } from '../../domain/job.ts';
import { submissionKey } from '../../domain/submission.ts';
import { sizeAt } from '../../plan/job/size-at-site.ts';
import { noMoves, whatIntentMeans } from '../../plan/reservation/life.ts';
import { loadCandidate } from '../../store/candidates.ts';
import { readScript } from '../../store/scripts.ts';
import type { SiteRow } from '../../store/sites.ts';
import { intendSubmission } from '../../store/submissions.ts';
import { adapterFor, noteIdentityFault } from '../identities.ts';
import type { ExecutionInHand } from '../in-hand.ts';
import { publicWords } from '../public-words.ts';
import { siteOf } from '../site-of.ts';
import type { Next } from '../turn.ts';
import { writeMoves } from '../write-moves.ts';
import { nativeSpec } from './submission/native-spec.ts';
import { giveBack, recordAcceptance, reject } from './submission/outcome.ts';

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
  const spec = nativeSpec(execution, script, reservation, candidate, now);
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

/** What follows from what the site answers. */
async function handOver(
  submitting: ExecutionInHand,
  site: SiteRow,
  { key, spec, now }: { readonly key: string; readonly spec: JobSpec; readonly now: EpochSeconds },
): Promise<Next> {
  const { context, execution } = submitting;
  try {
    const accepted = await (await adapterFor(context, execution, site)).submit(spec, key);
    return await recordAcceptance(submitting, key, accepted);
  } catch (error) {
    if (!(error instanceof SiteFailure)) throw error;
    context.logger.warn(
      { executionId: execution.id, site: site.name, key, kind: error.kind, err: error },
      'submission',
    );
    await noteIdentityFault(context, execution, site, error);
    if (error.kind === 'final') return reject(submitting, key, error);
    if (error.kind === 'transient') return giveBack(submitting, key, publicWords(error));
    return writeMoves(submitting, noMoves(now, { at: now + context.settings.retrySeconds }));
  }
}
