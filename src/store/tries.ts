import type { EpochSeconds } from '../domain/clock.ts';
import type { ExecutionOutcome } from '../domain/execution.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { toDate, type WithMoments, withMoments } from './moments.ts';

/** One run of an execution that ended and was followed by another. */
export type TryRow = WithMoments<Prisma.TryGetPayload<Record<string, never>>>;

/** The same as it is written down. */
export interface NewTry extends Omit<TryRow, 'submittedAt' | 'startedAt' | 'endedAt' | 'outcome'> {
  readonly submittedAt: EpochSeconds | null;
  readonly startedAt: EpochSeconds | null;
  readonly endedAt: EpochSeconds;
  readonly outcome: ExecutionOutcome;
}

/** Keeps a try that is followed by another. */
export async function saveTry(tx: Db, ended: NewTry): Promise<void> {
  const { submittedAt, startedAt, endedAt } = ended;
  const moments = { submittedAt: toDate(submittedAt), startedAt: toDate(startedAt), endedAt: toDate(endedAt) };
  await tx.try.create({ data: { ...ended, ...moments } });
}

/** The tries of several executions that were followed by another, first to last, for batched reads. */
export async function findTries(db: Db, executionIds: readonly string[]): Promise<TryRow[]> {
  return withMoments(
    await db.try.findMany({ where: { executionId: { in: [...executionIds] } }, orderBy: { number: 'asc' } }),
  );
}

/** Processor-seconds for which those of an execution held processors. */
export async function sumTries(db: Db, executionId: string): Promise<number> {
  const { _sum } = await db.try.aggregate({ where: { executionId }, _sum: { processorSeconds: true } });
  return _sum.processorSeconds ?? 0;
}
