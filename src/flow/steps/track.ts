import { SiteFailure, StaleTurn } from '../../domain/failures.ts';
import {
  isFinishPromised,
  isNeverStarted,
  type Leaving,
  type Moves,
  type Silence,
  type TrackedJob,
  whatFollows,
  whatLossMeans,
  whatSilenceMeans,
} from '../../plan/reservation/life.ts';
import type { ExecutionRow } from '../../store/executions.ts';
import { findReservedExecution, type ReservationRow } from '../../store/reservations.ts';
import type { SiteRow } from '../../store/sites.ts';
import { findNewestSubmission } from '../../store/submissions.ts';
import { claimTurn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import { holdTurn } from '../hold-turn.ts';
import { adapterFor } from '../identities.ts';
import type { ExecutionInHand } from '../in-hand.ts';
import { endTurn, leaseOf } from '../turn.ts';
import { nativeRef, type Sighting } from './sightings/sightings.ts';
import { writeAndBook } from './sightings/write-and-book.ts';
import { writeTryAgain } from './tries/try-again.ts';

/**
 * Moves one execution as its native job was seen: what follows is decided by `src/plan/reservation`, and written at
 * once. When another worker has the execution's turn nothing happens: the next observation will see the job again.
 */
export async function trackStep(context: FlowContext, site: SiteRow, sighting: Sighting): Promise<void> {
  const { db } = context.database;
  const turn = await claimTurn(db, 'Execution', sighting.execution.id, await leaseOf(context));
  if (!turn) return;
  const found = await findReservedExecution(db, sighting.execution.id);
  const isOutdated = found?.execution.nativeId !== sighting.execution.nativeId || found.execution.state === 'ENDED';
  const letGo = () => context.database.transaction((tx) => endTurn(tx, turn, turn.wakeAt));
  const track = async () => {
    if (!found || isOutdated) return letGo();
    const inHand = { context, turn, ...found };
    const { job, moves } = await decide(inHand, site, sighting);
    const isOver = job !== null && moves.execution.state === 'ENDED';
    const isTriedAgain = isOver && (await writeTryAgain(inHand, site, job));
    if (!isTriedAgain) await writeAndBook(inHand, moves);
  };
  try {
    await holdTurn(context, turn, track);
  } catch (error) {
    if (error instanceof SiteFailure) await letGo();
    if (!(error instanceof StaleTurn)) throw error;
  }
}

/**
 * What follows from a sighting, and the job as it was seen. After a long silence the site is asked for the key itself.
 */
async function decide(
  { context, execution, reservation }: ExecutionInHand,
  site: SiteRow,
  { job, observedAt }: Sighting,
): Promise<{ job: Sighting['job']; moves: Moves }> {
  const { clock, settings } = context;
  const leaving = await findLeaving(context, execution, reservation, job);
  const tracked: TrackedJob = { execution, reservation, leaving, siteName: site.name };
  if (job) return { job, moves: whatFollows(tracked, job, clock.now()) };
  const adapter = await adapterFor(context, execution, site);
  const { accounting: hasAccounting, accountingLagSeconds } = adapter.capabilities;
  const patienceSeconds = accountingLagSeconds + 2 * settings.retrySeconds;
  const silence: Silence = { observedAt, now: clock.now(), patienceSeconds, hasAccounting };
  const noted = whatSilenceMeans(execution, silence);
  if (noted) return { job: null, moves: noted };
  const found = await adapter.find(nativeRef(execution).key, execution.nativeSubmittedAt ?? 0);
  return { job: found, moves: found ? whatFollows(tracked, found, clock.now()) : whatLossMeans(tracked, silence) };
}

/**
 * How the newest attempt is asked back from its site; null for not at all. Promises are: those in a queue are
 * withdrawn, those that hold processors too early are released. So is what is never started, which the site may deny by
 * the time it has cancelled it.
 */
async function findLeaving(
  { database: { db } }: FlowContext,
  execution: ExecutionRow,
  reservation: ReservationRow | null,
  job: Sighting['job'],
): Promise<Leaving | null> {
  const isPromised = reservation !== null || isFinishPromised(execution);
  const isUnwished = job?.outcome === 'CANCELLED' && job.startAt === null && execution.cancelRequestedAt === null;
  const newest =
    isPromised || isNeverStarted(execution) || isUnwished ? await findNewestSubmission(db, execution.id) : null;
  if (newest?.state === 'WITHDRAWING' && execution.state === 'QUEUED') return 'WITHDRAWING';
  return newest?.state === 'RELEASING' ? 'RELEASING' : null;
}
