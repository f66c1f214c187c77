import { randomUUID } from 'node:crypto';
import type { ReservationState } from '../../src/domain/reservation.ts';
import type { Db } from '../../src/store/database.ts';

/** A job of long ago whose wait was forecast to be anything up to 9,900 s, each as likely as the other. */
export interface PastJob {
  readonly siteId: string;
  readonly submittedAt: number;
  /** Null for one that never started. */
  readonly waitSeconds: number | null;
  /** Who forecast it; `wait/qbets` unless told. */
  readonly predictor?: string;
  /** What it was promised, if it was. */
  readonly promise?: {
    readonly startAt: number;
    readonly state: ReservationState;
    readonly coAllocationId?: string;
    /** Its name in the rule of its co-allocation. */
    readonly legId?: string;
  };
}

/** Writes jobs down as they stand after they were settled. */
export async function savePastJobs(db: Db, jobs: readonly PastJob[]): Promise<void> {
  const rows = jobs.map((job) => ({
    ...job,
    id: randomUUID(),
    planId: randomUUID(),
    forecastId: randomUUID(),
    at: date(job.submittedAt),
    settledAt: date((job.promise?.startAt ?? job.submittedAt + (job.waitSeconds ?? 0)) + 100),
  }));
  const nobody = randomUUID();
  await db.execution.createMany({
    data: rows.map(({ id, siteId, at, settledAt, submittedAt, waitSeconds }) => ({
      id,
      siteId,
      tenantId: nobody,
      principalId: nobody,
      requestId: 'past',
      state: 'ENDED' as const,
      outcome: waitSeconds === null ? ('CANCELLED' as const) : ('COMPLETED' as const),
      name: 'past',
      arguments: [],
      processors: 1,
      walltimeSeconds: 60,
      allowedSiteIds: [],
      nativeSubmittedAt: at,
      startedAt: waitSeconds === null ? null : date(submittedAt + waitSeconds),
      settledAt,
      createdAt: at,
      updatedAt: settledAt,
    })),
  });
  await db.plan.createMany({
    data: rows.map(({ id, planId, at }) => ({
      id: planId,
      executionId: id,
      revision: 0,
      madeAt: at,
      submitAt: at,
      candidates: [],
    })),
  });
  await db.forecast.createMany({
    data: rows.map(({ forecastId, planId, siteId, at, predictor = 'wait/qbets' }) => ({
      id: forecastId,
      planId,
      siteId,
      predictor,
      version: '1',
      madeAt: at,
      observedAt: at,
      processors: 1,
      walltimeSeconds: 60,
      submitAt: at,
      sampleSize: 100,
      point: 5000,
      percentiles: Array.from({ length: 99 }, (_, i) => 100 * (i + 1)),
    })),
  });
  await db.reservation.createMany({
    data: rows.flatMap(({ id, at, promise }) =>
      promise
        ? {
            executionId: id,
            tenantId: nobody,
            coAllocationId: promise.coAllocationId ?? null,
            legId: promise.legId ?? null,
            state: promise.state,
            mode: 'HOLD' as const,
            startAt: date(promise.startAt),
            ifMissed: 'CANCEL' as const,
            probability: 0.9,
            promisedProbability: 0.9,
            currentProbability: 0.9,
            worstPaddingProcessorSeconds: 0,
            expectedPaddingProcessorSeconds: 0,
            trajectory: [],
            recomputedAt: at,
            decidedAt: date(promise.startAt),
            createdAt: at,
          }
        : [],
    ),
  });
  await db.score.createMany({
    data: rows.flatMap(({ id, siteId, forecastId, waitSeconds, settledAt, promise, predictor = 'wait/qbets' }) => {
      const common = { executionId: id, siteId, forecastId, predictor, scoredAt: settledAt };
      const isDecided = promise?.state === 'KEPT' || promise?.state === 'MISSED';
      return [
        ...(waitSeconds === null ? [] : [{ ...common, metric: 'POINT', predicted: 5000, actual: waitSeconds }]),
        ...(isDecided
          ? [{ ...common, metric: 'PROMISE', predicted: 0.9, actual: promise.state === 'KEPT' ? 1 : 0 }]
          : []),
      ];
    }),
  });
}

function date(at: number): Date {
  return new Date(at * 1000);
}
