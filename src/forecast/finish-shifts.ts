import type { EpochSeconds } from '../domain/clock.ts';
import type { PlanRequest } from '../domain/plan.ts';
import { type FinishOutcome, finishShiftAfter } from '../plan/deadline/finish-aim.ts';
import type { FinishShifts } from '../plan/deadline/option-finish.ts';
import type { Db } from '../store/database.ts';
import { listFinishOutcomes } from '../store/deadlines.ts';

/** What the outcomes of promised deadlines at sites teach of a request there, if that asks for such a promise. */
export async function loadFinishShifts(
  db: Db,
  { finishBy = null }: Pick<PlanRequest, 'finishBy'>,
  siteIds: readonly string[],
  now: EpochSeconds,
): Promise<FinishShifts> {
  const outcomes = new Map<string, readonly FinishOutcome[]>();
  const asked = finishBy === null ? [] : siteIds;
  await Promise.all(
    asked.map(async (siteId) => outcomes.set(siteId, await listFinishOutcomes(db, siteId, OUTCOMES_TO_LEARN_FROM))),
  );
  return (siteId, probability) => finishShiftAfter(probability, outcomes.get(siteId) ?? [], now);
}

const OUTCOMES_TO_LEARN_FROM = 200;
