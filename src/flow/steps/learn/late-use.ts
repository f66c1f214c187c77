import type { EpochSeconds } from '../../../domain/clock.ts';
import type { JobRecord } from '../../../domain/job.ts';
import { READ_BYTES, WRITTEN_BYTES } from '../../../predict/quantities.ts';
import type { Db } from '../../../store/database.ts';
import { listSettled } from '../../../store/executions.ts';
import { findForecastsToScore } from '../../../store/plans.ts';
import { saveScores } from '../../../store/scores.ts';
import { scoresOf } from './score.ts';

/**
 * Scores what was forecast of the bytes of jobs of ours that had been booked before accounting told them. Scores that
 * there are stay.
 */
export async function scoreLateUse(
  tx: Db,
  siteId: string,
  records: readonly JobRecord[],
  now: EpochSeconds,
): Promise<void> {
  const telling = new Map(records.filter(tellsBytes).map((record) => [keyOf(record), record]));
  if (telling.size === 0) return;
  const nativeIds = [...new Set(Array.from(telling.values(), ({ nativeId }) => nativeId))];
  for (const execution of await listSettled(tx, siteId, nativeIds)) {
    const { nativeId, nativeSubmittedAt: submitAt } = execution;
    const use = nativeId === null || submitAt === null ? undefined : telling.get(keyOf({ nativeId, submitAt }))?.use;
    if (!use) continue;
    const forecasts = await findForecastsToScore(tx, execution.id, siteId);
    const scores = scoresOf({ execution, reservation: null, forecasts, use, heldSeconds: 0 }, now);
    await saveScores(
      tx,
      scores.filter(({ quantity }) => quantity === READ_BYTES.name || quantity === WRITTEN_BYTES.name),
    );
  }
}

function tellsBytes({ use }: JobRecord): boolean {
  return (use?.readBytes ?? use?.writtenBytes ?? null) !== null;
}

function keyOf({ nativeId, submitAt }: Pick<JobRecord, 'nativeId' | 'submitAt'>): string {
  return `${nativeId}@${submitAt}`;
}
