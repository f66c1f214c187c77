import type { EpochSeconds } from '../../../domain/clock.ts';
import { SiteFailure } from '../../../domain/failures.ts';
import type { JobSpec } from '../../../domain/job.ts';
import { noMoves } from '../../../plan/reservation/life.ts';
import type { SiteRow } from '../../../store/sites.ts';
import { adapterFor, noteIdentityFault } from '../../identities.ts';
import type { ExecutionInHand } from '../../in-hand.ts';
import { publicWords } from '../../public-words.ts';
import type { Next } from '../../turn.ts';
import { writeMoves } from '../../write-moves.ts';
import { giveBack, recordAcceptance, reject } from './outcome.ts';

/** Hands a job to its site, once its key is on record; what follows from what the site answers. */
export async function handOver(
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
