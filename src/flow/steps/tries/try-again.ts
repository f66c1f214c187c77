import { type RetryPolicy, USUAL_MEMORY_FACTOR } from '../../../domain/retry.ts';
import type { NativeJob } from '../../../domain/site-adapter.ts';
import { submissionKey } from '../../../domain/submission.ts';
import { askedJob } from '../../../forecast/asked-job.ts';
import { nextTry } from '../../../plan/job/retry.ts';
import { chargedFor, chargesOf, isFinishPromised, isGateShut, type Moves } from '../../../plan/reservation/life.ts';
import { whatTryingAgainMeans } from '../../../plan/reservation/try-again.ts';
import { asRuntime, RUNTIME } from '../../../predict/quantities.ts';
import type { ExecutionRow } from '../../../store/executions.ts';
import { resourcesOf } from '../../../store/plan-requests.ts';
import type { SiteRow } from '../../../store/sites.ts';
import { type NewTry, saveTry } from '../../../store/tries.ts';
import type { FlowContext } from '../../context.ts';
import type { ExecutionInHand } from '../../in-hand.ts';
import { writeMoves } from '../../write-moves.ts';

/**
 * Writes down that a job that was seen to have ended is run again, by its caller's policy, with what is to be kept of
 * the try. Returns false, and nothing is written, where it is not.
 */
export async function writeTryAgain(inHand: ExecutionInHand, site: SiteRow, job: NativeJob): Promise<boolean> {
  const again = await tryAgain(inHand, site, job);
  if (again) await writeMoves(inHand, again.moves, (tx) => saveTry(tx, again.ended));
  return again !== null;
}

/** A try that is followed by another, and what follows. */
interface TriedAgain {
  readonly moves: Moves;
  readonly ended: NewTry;
}

/**
 * What follows for a job that is run again; null where it is not. Promised jobs never are, nor what nobody wants any
 * more.
 */
async function tryAgain(
  { context, execution, reservation }: ExecutionInHand,
  site: SiteRow,
  job: NativeJob,
): Promise<TriedAgain | null> {
  const policy = policyOf(execution);
  if (policy === null || job.state !== 'ENDED' || reservation !== null || isFinishPromised(execution)) return null;
  if (execution.cancelRequestedAt !== null || isGateShut(execution)) return null;
  const { failedTries, siteQueue } = execution;
  const walltimeSeconds = execution.submittedWalltimeSeconds ?? execution.walltimeSeconds;
  const queue = site.queues.find(({ name }) => name === siteQueue);
  const next = nextTry(policy, {
    outcome: job.outcome,
    number: failedTries + 1,
    walltimeSeconds,
    resources: resourcesOf(execution),
    runtime: job.outcome === 'TIMEOUT' ? await runtimeOf(context, execution, site) : null,
    queueWalltimeSeconds: queue?.maxWalltimeSeconds ?? null,
  });
  const now = context.clock.now();
  const { deadlineAt } = execution;
  if (!next.again || (deadlineAt !== null && now + next.walltimeSeconds > deadlineAt)) return null;
  const moves = whatTryingAgainMeans({ ...execution, walltimeSeconds }, next, now);
  return { moves, ended: { ...endedTry(execution, site, job), walltimeSeconds, reason: next.reason } };
}

function policyOf(execution: ExecutionRow): RetryPolicy | null {
  const { retryOn, mostTries, retryWalltimeAtMostSeconds, retryMemoryFactor, retryMemoryAtMostMebibytes } = execution;
  if (mostTries === null) return null;
  return {
    on: retryOn as RetryPolicy['on'],
    mostTries,
    walltimeAtMostSeconds: retryWalltimeAtMostSeconds,
    memoryFactor: retryMemoryFactor ?? USUAL_MEMORY_FACTOR,
    memoryAtMostMebibytes: retryMemoryAtMostMebibytes,
  };
}

/** How long such jobs run whatever they ask for: its own walltime would bound that, and has proved too short. */
async function runtimeOf({ database, forecaster, clock }: FlowContext, execution: ExecutionRow, site: SiteRow) {
  const { work } = await askedJob(database.db, execution, site, clock.now());
  const asked = { ...work, requestedWalltimeSeconds: null };
  const [forecast] = await forecaster.forecastOthers(site.id, RUNTIME.name, [asked]);
  return forecast ? asRuntime(forecast) : null;
}

/** What there is to keep of it; its processors were lost. */
function endedTry(
  execution: ExecutionRow,
  { id: siteId }: SiteRow,
  job: Extract<NativeJob, { state: 'ENDED' }>,
): Omit<NewTry, 'walltimeSeconds' | 'reason'> {
  const { id: executionId, attempts, siteQueue: queue, processors } = execution;
  const ran = { ...execution, startedAt: job.startAt, endedAt: job.endAt };
  const charges = chargesOf(ran, null);
  return {
    ...{ executionId, number: execution.failedTries + 1, siteId, queue, processors },
    key: submissionKey(executionId, attempts),
    nativeId: execution.nativeId,
    submittedAt: execution.nativeSubmittedAt,
    startedAt: job.startAt,
    endedAt: job.endAt,
    outcome: job.outcome,
    exitCode: job.exitCode,
    processorSeconds: chargedFor('NEEDED', charges) + chargedFor('PADDING', charges) + chargedFor('LOST', charges),
  };
}
