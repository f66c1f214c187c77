import type { JobSpec } from '../../../domain/job.ts';
import { describeStageFault, stageFinding } from '../../../domain/staging.ts';
import { noMoves } from '../../../plan/reservation/life.ts';
import { readinessOf } from '../../../plan/staging/next-move.ts';
import { changeExecution } from '../../../store/execution-changes.ts';
import type { ExecutionRow } from '../../../store/executions.ts';
import { stageRequestOf } from '../../../store/plan-requests.ts';
import type { SiteRow } from '../../../store/sites.ts';
import { createStaging, findNewestStaging, type StagingRow, wakeStagings } from '../../../store/stagings.ts';
import { assertTurn } from '../../../store/turns.ts';
import type { FlowContext } from '../../context.ts';
import type { ExecutionInHand } from '../../in-hand.ts';
import { commitStep, type Next } from '../../turn.ts';
import { writeMoves } from '../../write-moves.ts';

/**
 * Has the files of a job moved to its site before it is handed in. Null, and nothing is changed, when they are there or
 * there are none. A job of which one cannot be moved ends.
 */
export async function stageFirst(inHand: ExecutionInHand, site: SiteRow): Promise<Next | null> {
  const { context, turn, execution } = inHand;
  const request = stageRequestOf(execution);
  if (!request) return null;
  const { database, clock, settings } = context;
  const staging = await findNewestStaging(database.db, execution.id);
  const readiness = readinessOf(staging, execution);
  if (readiness === 'READY') return null;
  const now = clock.now();
  const next = { wakeAt: now + LOOK_AGAIN_SECONDS };
  if (readiness === 'WAIT') return commitStep(context, turn, next, (tx) => assertTurn(tx, turn));
  if (readiness !== 'BEGIN') {
    const finding = stageFinding(readiness.fault);
    const why = `${finding.fault}: ${describeStageFault(finding, 'IN')}`;
    const reason = `${whichFile(staging)} cannot be moved to ${site.name}: ${why}`;
    const over = { state: 'ENDED', outcome: 'STAGING_FAILED', reason, endedAt: now } as const;
    return writeMoves(inHand, { ...noMoves(now, 'AT_ONCE'), execution: over });
  }
  const reason = `its files are moved to ${site.name} first`;
  return commitStep(context, turn, next, async (tx) => {
    await changeExecution(tx, turn, execution, { reason }, now);
    await wakeStagings(tx, execution.id, now);
    const deadlineAt = now + settings.staging.deadlineSeconds;
    await createStaging(tx, execution, { siteId: site.id, request, deadlineAt, now });
  });
}

function whichFile(staging: StagingRow | null): string {
  const failed = staging?.files.find(({ direction, state }) => direction === 'IN' && state === 'FAILED');
  return failed ? `its file ${failed.path}` : 'its folder';
}

/** The job as it starts where its files are. */
export async function inFolder({ database }: FlowContext, execution: ExecutionRow, spec: JobSpec): Promise<JobSpec> {
  if (!stageRequestOf(execution)) return spec;
  const folder = (await findNewestStaging(database.db, execution.id))?.folder;
  return folder ? { ...spec, workFolder: folder } : spec;
}

/** Its files wake it when they are there. */
const LOOK_AGAIN_SECONDS = 300;
