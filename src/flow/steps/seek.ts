import type { EpochSeconds } from '../../domain/clock.ts';
import { SiteFailure } from '../../domain/failures.ts';
import type { NativeJob } from '../../domain/site-adapter.ts';
import { userOf } from '../../domain/site-identity.ts';
import { submissionKey } from '../../domain/submission.ts';
import { noMoves } from '../../plan/reservation/life.ts';
import { findTenantName } from '../../store/principals.ts';
import { listAllowedSites, type SiteRow } from '../../store/sites.ts';
import { intendSubmission } from '../../store/submissions.ts';
import { adapterFor } from '../identities.ts';
import type { ExecutionInHand } from '../in-hand.ts';
import type { Next } from '../turn.ts';
import { writeMoves } from '../write-moves.ts';

/** A job that a site has under a key that is not on record. */
interface FoundJob {
  readonly site: SiteRow;
  readonly attempt: number;
  readonly job: NativeJob;
}

/** What a site says of such a job. */
type Answer = { readonly site: SiteRow } & (
  | { readonly says: 'HAS_IT'; readonly found: FoundJob }
  /** Silence proves nothing before that moment. */
  | { readonly says: 'NOTHING'; readonly provenAt: EpochSeconds }
  | { readonly says: 'NO_ANSWER' }
);

/**
 * Looks for a job whose later attempts a restored database has forgotten, before anything is decided of it: every site
 * that its caller allows is asked for the keys that come next. What one has is taken over under its key, wherever that
 * is. Once all are silent, and everything that had ended before has reached accounting, there is none.
 */
export async function seekStep(inHand: ExecutionInHand): Promise<Next> {
  const { context, execution } = inHand;
  const { observeIntervalSeconds } = context.settings;
  const sites = await sitesWithAccounts(inHand);
  const answers = await Promise.all(sites.map((site) => askFor(inHand, site)));
  const now = context.clock.now();
  const newest = answers
    .flatMap((answer) => (answer.says === 'HAS_IT' ? [answer.found] : []))
    .sort((a, b) => b.attempt - a.attempt)
    .at(0);
  if (newest) return takeOver(inHand, newest);
  const dumb = answers.find(({ says }) => says === 'NO_ANSWER')?.site;
  if (dumb) {
    const reason = `${RESTORED}, and ${dumb.name} does not tell yet whether it has the job`;
    return writeMoves(inHand, { ...noMoves(now, { at: now + observeIntervalSeconds }), execution: { reason } });
  }
  const provenAt = Math.max(...answers.flatMap((answer) => (answer.says === 'NOTHING' ? [answer.provenAt] : [])));
  if (now < provenAt) return writeMoves(inHand, noMoves(now, { at: provenAt }));
  const reason = execution.reason?.startsWith(RESTORED) ? null : execution.reason;
  return writeMoves(inHand, { ...noMoves(now, 'AT_ONCE'), execution: { soughtSince: null, reason } });
}

/** The sites at which the job could be: those where its tenant has no account had never got it. */
async function sitesWithAccounts({ context, execution }: ExecutionInHand): Promise<SiteRow[]> {
  const { db } = context.database;
  const tenant = await findTenantName(db, execution.tenantId);
  const sites = await listAllowedSites(db, execution);
  return sites.filter(({ configuration }) => userOf(configuration, tenant) !== undefined);
}

/** The newest of the keys that come next counts: what an earlier attempt left at the site is over. */
async function askFor({ context, execution }: ExecutionInHand, site: SiteRow): Promise<Answer> {
  const { id, attempts, createdAt, soughtSince } = execution;
  try {
    const adapter = await adapterFor(context, execution, site);
    for (let attempt = attempts + ATTEMPTS_AHEAD; attempt > attempts; attempt--) {
      const job = await adapter.find(submissionKey(id, attempt), createdAt);
      if (job) return { says: 'HAS_IT', site, found: { site, attempt, job } };
    }
    const lagSeconds = Math.max(adapter.capabilities.accountingLagSeconds, 2 * context.settings.retrySeconds);
    return { says: 'NOTHING', site, provenAt: (soughtSince ?? 0) + lagSeconds + 1 };
  } catch (error) {
    if (!(error instanceof SiteFailure)) throw error;
    context.logger.warn({ executionId: id, site: site.name, kind: error.kind, err: error }, 'not sought yet');
    return { says: 'NO_ANSWER', site };
  }
}

/** Puts the attempt on record as one in doubt: that is settled as any other, by the job which the site has. */
function takeOver(inHand: ExecutionInHand, { site, attempt, job }: FoundJob): Promise<Next> {
  const { context, execution } = inHand;
  const { id: executionId, requestId, walltimeSeconds, processors } = execution;
  const now = context.clock.now();
  const key = submissionKey(executionId, attempt);
  const { nativeId } = job;
  context.logger.warn({ requestId, executionId, site: site.name, key, nativeId }, 'found after a restore');
  const queue = site.id === execution.siteId ? execution.siteQueue : null;
  const moves = {
    ...noMoves(now, 'AT_ONCE'),
    execution: {
      state: 'SUBMITTING',
      attempts: attempt,
      siteId: site.id,
      siteQueue: queue,
      submittedWalltimeSeconds: execution.submittedWalltimeSeconds ?? walltimeSeconds,
      billedProcessors: execution.billedProcessors ?? processors,
      awaits: execution.awaits && execution.startsAhead,
      missingSince: null,
      heldBackSince: null,
      heldBackBehindId: null,
      reason: `${RESTORED}, and ${site.name} had the job already`,
    },
  } as const;
  const asked = { user: null, account: null, qos: null };
  return writeMoves(inHand, moves, (tx) =>
    intendSubmission(tx, {
      key,
      executionId,
      siteId: site.id,
      attempt,
      queue,
      ...asked,
      intendedAt: execution.createdAt,
    }),
  );
}

const RESTORED = 'the database was restored from a backup';
/** How many attempts may have been made, and left nothing, since the backup before the one that is looked for. */
const ATTEMPTS_AHEAD = 4;
