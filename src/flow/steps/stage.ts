import { invariant } from '../../domain/failures.ts';
import { StageFailure, toRecordedFault } from '../../domain/staging.ts';
import { nextMove } from '../../plan/staging/next-move.ts';
import { type ExecutionRow, findExecution } from '../../store/executions.ts';
import { findSite, type SiteRow } from '../../store/sites.ts';
import { changeStaging, type StagingRow } from '../../store/stagings.ts';
import { assertTurn, type Turn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import { adapterFor } from '../identities.ts';
import { SiteFolder } from '../staging/file-run.ts';
import { backoffSeconds, commitStep, type Next } from '../turn.ts';
import { moveFile } from './staging/move-file.ts';
import { passTo } from './staging/pass-to.ts';

/** The folder of a job that a worker has in hand. */
export interface StagingInHand {
  readonly context: FlowContext;
  readonly turn: Turn;
  readonly staging: StagingRow;
  readonly execution: ExecutionRow;
  readonly site: SiteRow;
}

/**
 * Does the next thing about the files of a job: makes its folder, moves one of them for a while, removes the folder,
 * or waits for the job. What may pass is tried again after growing pauses until the deadline.
 */
export async function stageStep(context: FlowContext, turn: Turn, staging: StagingRow): Promise<Next> {
  const { db } = context.database;
  const [execution, site] = await Promise.all([findExecution(db, staging.executionId), findSite(db, staging.siteId)]);
  invariant(execution && site, `staging ${staging.id} has lost its execution or its site`);
  const inHand = { context, turn, staging, execution, site };
  if (site.removedAt !== null) return passTo(inHand, 'ENDED', 'SITE_FAULT');
  const now = context.clock.now();
  const move = nextMove(staging, execution, now);
  try {
    switch (move.kind) {
      case 'WAIT':
        return await commitStep(context, turn, { wakeAt: lookAgainAt(staging, now) }, (tx) => assertTurn(tx, turn));
      case 'PASS':
        return await passTo(inHand, move.to, move.fault);
      case 'MAKE':
        return await makeFolder(inHand);
      case 'REMOVE':
        await (await folderOf(inHand)).ask({ verb: 'REMOVE', name: staging.id });
        return await passTo(inHand, 'ENDED', null);
      case 'MOVE':
        return await moveFile(inHand, move.file, await folderOf(inHand));
    }
  } catch (error) {
    if (!(error instanceof StageFailure)) throw error;
    return tryLater(inHand, error);
  }
}

async function makeFolder(inHand: StagingInHand): Promise<Next> {
  const { context, turn, staging } = inHand;
  const answer = await (await folderOf(inHand)).ask({ verb: 'MAKE', name: staging.id });
  if (answer.said !== 'FOLDER') throw new StageFailure('SITE_FAULT', false);
  const { folder } = answer;
  return commitStep(context, turn, 'AGAIN', (tx) =>
    changeStaging(tx, turn, staging, { folder, faults: 0, fault: null }),
  );
}

async function folderOf({ context, staging, execution, site }: StagingInHand): Promise<SiteFolder> {
  return new SiteFolder(await adapterFor(context, execution, site), staging.id);
}

/** A fault of the folder itself. One that would come again ends the attempt to fill it. */
function tryLater(inHand: StagingInHand, failure: StageFailure): Promise<Next> {
  const { context, turn, staging, site } = inHand;
  const { isFinal } = failure;
  const fault = toRecordedFault(failure);
  context.logger.warn({ stagingId: staging.id, site: site.name, fault, err: failure }, 'not staged');
  if (isFinal) return passTo(inHand, staging.state === 'FILLING' ? 'CLEARING' : 'ENDED', fault);
  const faults = staging.faults + 1;
  const wakeAt = context.clock.now() + backoffSeconds(context.settings.retrySeconds, faults);
  return commitStep(context, turn, { wakeAt: Math.min(wakeAt, staging.deadlineAt) }, (tx) =>
    changeStaging(tx, turn, staging, { faults, fault }),
  );
}

/** Whoever waits for a job is woken by its end; one that goes elsewhere is found by looking. */
function lookAgainAt({ state, deadlineAt }: StagingRow, now: number): number {
  return state === 'KEPT' ? Math.min(deadlineAt, now + LONGEST_PAUSE_SECONDS) : now + LOOK_AGAIN_SECONDS;
}

const LOOK_AGAIN_SECONDS = 300;
const LONGEST_PAUSE_SECONDS = 86_400;
