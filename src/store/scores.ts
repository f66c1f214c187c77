import type { ChargeKind } from '../domain/charge.ts';
import type { EpochSeconds } from '../domain/clock.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { ANY, gathered } from './gathered.ts';
import { toDate, type WithMoments, withMoments } from './moments.ts';
import { newId } from './new-id.ts';

/**
 * What is compared: the point of a forecast, its 95 % bound, a promise, one to finish by a deadline, or the risk of
 * being killed by an automatic walltime.
 */
export const SCORE_METRICS = ['POINT', 'BOUND95', 'PROMISE', 'DEADLINE_KEPT', 'KILLED'] as const;
export type ScoreMetric = (typeof SCORE_METRICS)[number];

/** A promise or forecast beside what happened. */
export interface NewScore {
  readonly siteId: string;
  readonly forecastId: string | null;
  readonly executionId: string;
  /** For example `wait`. */
  readonly quantity: string;
  readonly predictor: string;
  readonly metric: ScoreMetric;
  readonly predicted: number;
  readonly actual: number;
  readonly scoredAt: EpochSeconds;
}

/** Writes scores; one that exists already stays as it is, so a repeated step changes nothing. */
export async function saveScores(tx: Db, scores: readonly NewScore[]): Promise<void> {
  if (scores.length > 0) await writeScores(tx, scores);
}

const writeScores = gathered(ANY, async (tx, lists: readonly (readonly NewScore[])[]) => {
  const rows = lists.flat().map((score) => ({ id: newId(), ...score, scoredAt: toDate(score.scoredAt) }));
  await tx.$executeRaw`
    INSERT INTO "Score" SELECT * FROM jsonb_populate_recordset(NULL::"Score", ${JSON.stringify(rows)}::jsonb)
        ON CONFLICT DO NOTHING`;
  return lists.map(() => undefined);
});

/** One entry of the charge ledger. */
export type ChargeRow = WithMoments<Prisma.ChargeGetPayload<Record<string, never>>>;

/** Books what an execution cost; a repeated booking changes nothing. */
export async function saveCharges(
  tx: Db,
  executionId: string,
  charges: readonly { kind: ChargeKind; processorSeconds: number }[],
  chargedAt: EpochSeconds,
): Promise<void> {
  if (charges.length === 0) return;
  await writeCharges(
    tx,
    charges.map((charge) => ({ executionId, ...charge, chargedAt: toDate(chargedAt) })),
  );
}

const writeCharges = gathered(ANY, async (tx, lists: readonly (readonly Prisma.ChargeCreateManyInput[])[]) => {
  await tx.charge.createMany({ data: lists.flat(), skipDuplicates: true });
  return lists.map(() => undefined);
});

/** The charges of several executions, for batched reads. */
export async function findCharges(db: Db, executionIds: readonly string[]): Promise<ChargeRow[]> {
  return withMoments(await db.charge.findMany({ where: { executionId: { in: [...executionIds] } } }));
}
