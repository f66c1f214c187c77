import { SiteFailure } from '../../domain/failures.ts';
import type { NativeJob, SiteAdapter } from '../../domain/site-adapter.ts';
import { userOf } from '../../domain/site-identity.ts';
import { submissionKey } from '../../domain/submission.ts';
import { noMoves } from '../../plan/reservation/life.ts';
import type { Db } from '../../store/database.ts';
import { stageRequestOf } from '../../store/plan-requests.ts';
import { findTenantName } from '../../store/principals.ts';
import { listAllowedSites, type SiteRow } from '../../store/sites.ts';
import { createStaging, findNewestStaging, wakeStagings } from '../../store/stagings.ts';
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

/** What came of asking a site for such a job. */
interface Answer {
  readonly site: SiteRow;
  readonly hasAnswered: boolean;
  /** Null where it has none, as far as it answered. */
  readonly found: FoundJob | null;
}

/**
 * Looks for a job whose later attempts a restored database has forgotten, before anything is decided of it: every site
 * that its caller allows is asked for the keys that come next, once everything that had ended before the restore has
 * reached accounting. What one has is taken over under its key, wherever that is. Once none has it there is none; a
 * site that does not answer is waited for as long as a job waits for a site at all.
 */
export async function seekStep(inHand: ExecutionInHand): Promise<Next> {
  const { context, execution } = inHand;
  const { observeIntervalSeconds, patienceSeconds } = context.settings;
  const soughtSince = execution.soughtSince ?? 0;
  const begunAt = context.clock.now();
  const sites = await sitesWithAccounts(inHand);
  const provenAt = soughtSince + Math.max(0, ...sites.map(({ lagSeconds }) => lagSeconds)) + 1;
  if (begunAt < provenAt) return writeMoves(inHand, noMoves(begunAt, { at: provenAt }));
  const answers = await Promise.all(sites.map((one) => askFor(inHand, one)));
  const now = context.clock.now();
  const [newest] = answers.flatMap(({ found }) => found ?? []).sort((a, b) => b.attempt - a.attempt);
  if (newest) return takeOver(inHand, newest);
  const silent = answers.find(({ hasAnswered }) => !hasAnswered)?.site;
  if (silent && now < soughtSince + patienceSeconds) {
    const reason = `${RESTORED}, and ${silent.name} does not tell yet whether it has the job`;
    return writeMoves(inHand, { ...noMoves(now, { at: now + observeIntervalSeconds }), execution: { reason } });
  }
  const reason = execution.reason?.startsWith(RESTORED) ? null : execution.reason;
  const moves = { ...noMoves(now, 'AT_ONCE'), execution: { soughtSince: null, reason } } as const;
  return writeMoves(inHand, moves, async (tx) => void (await wakeStagings(tx, execution.id, now)));
}

/** A site at which the job could be, and how long after the restore its silence proves something. */
interface AskedSite {
  readonly site: SiteRow;
  readonly adapter: SiteAdapter;
  readonly lagSeconds: number;
}

/** All but those where its tenant has no account: they had never got it. */
async function sitesWithAccounts({ context, execution }: ExecutionInHand): Promise<AskedSite[]> {
  const { db } = context.database;
  const tenant = await findTenantName(db, execution.tenantId);
  const sites = await listAllowedSites(db, execution);
  const open = sites.filter(({ configuration }) => userOf(configuration, tenant) !== undefined);
  return Promise.all(
    open.map(async (site) => {
      const adapter = await adapterFor(context, execution, site);
      const { accountingLagSeconds } = adapter.capabilities;
      return { site, adapter, lagSeconds: Math.max(accountingLagSeconds, 2 * context.settings.retrySeconds) };
    }),
  );
}

/** The newest of the keys that come next counts, and one of them may never have reached the site. */
async function askFor({ context, execution }: ExecutionInHand, { site, adapter }: AskedSite): Promise<Answer> {
  const { id, attempts, createdAt } = execution;
  let found: FoundJob | null = null;
  try {
    for (let attempt = attempts + 1; attempt <= (found?.attempt ?? attempts) + SILENT_KEYS; attempt++) {
      const job = await adapter.find(submissionKey(id, attempt), createdAt);
      if (job) found = { site, attempt, job };
    }
    return { site, hasAnswered: true, found };
  } catch (error) {
    if (!(error instanceof SiteFailure)) throw error;
    context.logger.warn({ executionId: id, site: site.name, kind: error.kind, err: error }, 'not sought yet');
    return { site, hasAnswered: false, found: null };
  }
}

/** Puts the attempt on record as one in doubt, which is settled as any other: the site is asked for its job again. */
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
  return writeMoves(inHand, moves, async (tx) => {
    const intent = { key, executionId, siteId: site.id, attempt, queue, ...asked, intendedAt: execution.createdAt };
    await intendSubmission(tx, intent);
    await stageAgain(inHand, site, tx);
  });
}

/**
 * The folder of a job that was staged after the backup cannot be found: it is called by what is not on record. Its
 * outputs are asked for all the same, so that it is told that they were not moved.
 */
async function stageAgain({ context, execution }: ExecutionInHand, site: SiteRow, tx: Db): Promise<void> {
  const request = stageRequestOf(execution);
  if (!request) return;
  const now = context.clock.now();
  const known = await findNewestStaging(tx, execution.id);
  const isKnown = known?.siteId === site.id && known.failedTries === execution.failedTries;
  const deadlineAt = now + context.settings.staging.deadlineSeconds;
  if (isKnown) await wakeStagings(tx, execution.id, now);
  else await createStaging(tx, execution, { siteId: site.id, request, deadlineAt, now });
}

const RESTORED = 'the database was restored from a backup';
/** After so many keys in a row that a site does not know it was given no later ones. */
const SILENT_KEYS = 2;
