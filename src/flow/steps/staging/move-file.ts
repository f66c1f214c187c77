import { SiteFailure } from '../../../domain/failures.ts';
import { StageFailure, toRecordedFault } from '../../../domain/staging.ts';
import { nextMove } from '../../../plan/staging/next-move.ts';
import { findExecution } from '../../../store/executions.ts';
import { noteStagedRate } from '../../../store/staged-rates.ts';
import { changeStagedFile, changeStaging, type StagedFileChange, type StagedFileRow } from '../../../store/stagings.ts';
import { assertTurn } from '../../../store/turns.ts';
import { noteIdentityFault } from '../../identities.ts';
import type { FileRun, SiteFolder } from '../../staging/file-run.ts';
import { moveIn } from '../../staging/move-in.ts';
import { moveOut } from '../../staging/move-out.ts';
import { backoffSeconds, commitStep, type Next } from '../../turn.ts';
import type { StagingInHand } from '../stage.ts';

/**
 * Moves a file for a while. How far it is is on record with every piece, so that whoever has the next turn goes on from
 * there. A fault that would come again is the file's end; any other is tried again after a pause.
 */
export async function moveFile(inHand: StagingInHand, file: StagedFileRow, folder: SiteFolder): Promise<Next> {
  const { context, turn } = inHand;
  const { sliceMilliseconds, stepMilliseconds } = context.settings.staging;
  const begunAt = performance.now();
  const ending = new AbortController();
  const deadline = setTimeout(() => ending.abort(), stepMilliseconds * SHARE_OF_STEP);
  const progress = new Progress(inHand, file);
  const run: FileRun = {
    ...{ staging: inHand.staging, file, folder, remote: context.remoteFiles, limits: context.settings.staging },
    ...{ endAt: begunAt + sliceMilliseconds, signal: ending.signal },
    // A worker that died has left no moment at which its row wanted another turn.
    isDoubtful: inHand.staging.faults > 0 || turn.wakeAt === null,
    save: (change) => progress.save(change),
  };
  try {
    await (file.direction === 'IN' ? moveIn(run) : moveOut(run));
    await progress.noteRate();
    return await commitStep(context, turn, { wakeAt: context.clock.now() }, (tx) => assertTurn(tx, turn));
  } catch (error) {
    if (!(error instanceof StageFailure)) throw error;
    return await (error.isFinal ? giveUp(inHand, file, error) : tryAgain(inHand, file, error));
  } finally {
    clearTimeout(deadline);
    ending.abort();
  }
}

/** What of a file is on record in the course of a step. */
class Progress {
  private readonly begunAt = performance.now();
  private faults: number;
  private isMoved = false;
  private bytes = 0;

  constructor(
    private readonly inHand: StagingInHand,
    private readonly file: StagedFileRow,
  ) {
    this.faults = inHand.staging.faults;
  }

  /** Writes down how far the file is; what was wrong has passed. False when its job does not want it any more. */
  async save(change: StagedFileChange): Promise<boolean> {
    const { context, turn, staging } = this.inHand;
    const { database, clock } = context;
    const movingSeconds = this.movingSeconds();
    await database.transaction(async (tx) => {
      if (this.faults > 0 || change.state === 'MOVED')
        await changeStaging(tx, turn, staging, { faults: 0, fault: null });
      else await assertTurn(tx, turn);
      await changeStagedFile(tx, this.file, { ...change, movingSeconds });
    });
    this.faults = 0;
    this.isMoved = change.state === 'MOVED';
    this.bytes = change.movedBytes ?? this.bytes;
    if (staging.state !== 'FILLING' || this.isMoved) return true;
    const execution = await findExecution(database.db, staging.executionId);
    return execution !== null && nextMove(staging, execution, clock.now()).kind === 'MOVE';
  }

  /** Keeps how fast the site took it, for plans to come; small files tell nothing of that. */
  async noteRate(): Promise<void> {
    const { context, staging } = this.inHand;
    if (!this.isMoved || this.file.direction !== 'IN' || this.bytes < LEAST_BYTES_TOLD) return;
    await noteStagedRate(context.database.db, staging.siteId, this.bytes / this.movingSeconds());
  }

  private movingSeconds(): number {
    return this.file.movingSeconds + (performance.now() - this.begunAt) / 1000;
  }
}

function giveUp({ context, turn, staging }: StagingInHand, file: StagedFileRow, failure: StageFailure): Promise<Next> {
  const fault = toRecordedFault(failure);
  const { executionId, id: stagingId } = staging;
  const { direction, position } = file;
  context.logger.warn({ executionId, stagingId, direction, position, fault }, 'a file cannot be moved');
  return commitStep(context, turn, 'AGAIN', async (tx) => {
    await changeStaging(tx, turn, staging, { faults: 0, fault: null });
    await changeStagedFile(tx, file, { state: 'FAILED', fault });
  });
}

async function tryAgain(inHand: StagingInHand, file: StagedFileRow, failure: StageFailure): Promise<Next> {
  const { context, turn, staging, execution, site } = inHand;
  const { executionId, id: stagingId } = staging;
  const { direction, position } = file;
  const { cause } = failure;
  const fault = toRecordedFault(failure);
  const faults = staging.faults + 1;
  if (cause instanceof SiteFailure) await noteIdentityFault(context, execution, site, cause);
  context.logger.warn({ executionId, stagingId, direction, position, fault, faults, cause }, 'a file waits');
  const pauseSeconds = Math.min(LONGEST_PAUSE_SECONDS, backoffSeconds(context.settings.retrySeconds, faults));
  const wakeAt = Math.min(context.clock.now() + pauseSeconds, staging.deadlineAt);
  return commitStep(context, turn, { wakeAt }, async (tx) => {
    await changeStaging(tx, turn, staging, { faults, fault });
    await changeStagedFile(tx, file, { fault });
  });
}

/** A file is put in one go; the rest of the step is for what follows. */
const SHARE_OF_STEP = 0.8;
const LONGEST_PAUSE_SECONDS = 600;
const LEAST_BYTES_TOLD = 1 << 20;
