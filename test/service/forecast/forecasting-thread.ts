import { setTimeout as sleep } from 'node:timers/promises';
import { createLocalForecaster } from '../../../src/forecast/local-forecaster.ts';
import { OwnedSites } from '../../../src/forecast/owned-sites.ts';
import { SiteCheckpoints } from '../../../src/forecast/site-checkpoints.ts';
import type { ThreadOptions } from '../../../src/forecast/thread-options.ts';
import type { TestDatabase } from '../database.ts';

const OPTIONS = { predictor: 'wait/gridcast', alsoScored: [], freshMilliseconds: 0 };

/**
 * Forecasts as a thread of another process than those with other numbers.
 * @returns it, with what it says of checkpoints that could not be used
 */
export function forecastingThread(stores: TestDatabase, threadId: number, options: Partial<ThreadOptions> = {}) {
  const told: string[] = [];
  const owned = new OwnedSites(stores.database.db, { threadId, learnsLast: false });
  const checkpoints = new SiteCheckpoints(stores.database, (what, error) =>
    told.push(`${what}: ${(error as Error).message}`),
  );
  const shared = { owned, checkpoints, isHere: () => true };
  const forecaster = createLocalForecaster(stores.database, { ...OPTIONS, ...options }, shared);
  return { told, owned, forecaster };
}

/** Lets a thread learn the sites that it owns, until so many checkpoints are there. @throws Error after a minute */
export async function untilKept(
  { database }: TestDatabase,
  { owned, forecaster }: ReturnType<typeof forecastingThread>,
  checkpoints = 1,
): Promise<void> {
  const giveUpAt = performance.now() + 60_000;
  while ((await database.db.checkpoint.count()) < checkpoints) {
    if (performance.now() > giveUpAt) throw new Error('the site was not kept');
    await owned.look();
    await forecaster.follow();
    await sleep(20);
  }
}
