import { randomUUID } from 'node:crypto';
import { openDatabase } from '../store/database.ts';
import { enqueueWakeUps } from '../store/outbox.ts';
import { ensurePrincipal, ensureTenant } from '../store/principals.ts';
import { keepScript } from '../store/scripts.ts';
import { findSiteByName } from '../store/sites.ts';

const BATCH = 500;
const PROBABILITY = 0.75;

/** Promises that wait at one site, as a bench wants them. */
export interface PendingReservations {
  readonly siteName: string;
  readonly count: number;
  /** The first one's start time lies that far ahead, the last one's so much further. */
  readonly leadSeconds: number;
  readonly spreadSeconds: number;
}

/** Writes promises down in bulk, without asking any forecast: the worker plans them at its first look. */
export async function writePendingReservations(
  databaseUrl: string,
  { siteName, count, leadSeconds, spreadSeconds }: PendingReservations,
  onProgress: (written: number) => void,
): Promise<void> {
  const database = openDatabase(databaseUrl, 4);
  try {
    const now = Date.now() / 1000;
    const tenantId = await ensureTenant(database.db, 'bench', now);
    const principalId = await ensurePrincipal(database.db, tenantId, 'bench', 'ADMIN');
    const site = await findSiteByName(database.db, siteName);
    if (!site) throw new Error(`no site ${siteName}`);
    const [queue] = site.queues;
    const at = new Date(now * 1000);
    for (let from = 0; from < count; from += BATCH) {
      const promises = Array.from({ length: Math.min(BATCH, count - from) }, (_, n) => {
        const startAt = Math.round(now + leadSeconds + (spreadSeconds * (from + n)) / count);
        return { executionId: randomUUID(), startAt, submitAt: startAt - leadSeconds / 2 };
      });
      await database.transaction(async (tx) => {
        const scriptHash = await keepScript(tx, '#!/bin/sh\nsleep 60\n');
        await tx.execution.createMany({
          data: promises.map(({ executionId: id, submitAt }) => ({
            ...{ id, tenantId, principalId, requestId: 'bench', state: 'HELD', name: 'bench', arguments: [] },
            ...{ scriptHash, processors: 1, walltimeSeconds: 600, allowedSiteIds: [site.id] },
            ...{ siteId: site.id, siteQueue: queue?.name ?? null, submitAt: new Date(submitAt * 1000) },
            ...{ createdAt: at, updatedAt: at, wakeAt: new Date(submitAt * 1000) },
          })),
        });
        await tx.reservation.createMany({
          data: promises.map(({ executionId, startAt }) => ({
            ...{ tenantId, executionId, state: 'PROMISED', mode: 'HOLD', ifMissed: 'CANCEL', trajectory: [] },
            ...{ probability: PROBABILITY, promisedProbability: PROBABILITY, currentProbability: PROBABILITY },
            ...{ worstPaddingProcessorSeconds: 0, expectedPaddingProcessorSeconds: 0 },
            ...{ startAt: new Date(startAt * 1000), recomputedAt: new Date(0), createdAt: at },
          })),
        });
        const wakeUps = promises.map(({ executionId: targetId, submitAt: wakeAt }) => {
          return { kind: 'EXECUTION' as const, targetId, wakeAt, requestId: null };
        });
        await enqueueWakeUps(tx, wakeUps);
      }, TRANSACTION_MILLISECONDS);
      onProgress(Math.min(count, from + BATCH));
    }
  } finally {
    await database.close();
  }
}

const TRANSACTION_MILLISECONDS = 120_000;
