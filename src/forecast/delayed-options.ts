import type { EpochSeconds } from '../domain/clock.ts';
import type { HoldQueue } from '../domain/hold-queue.ts';
import type { CandidateSite, PlanRequest } from '../domain/plan.ts';
import type { Database } from '../store/database.ts';
import { findHoldQueues } from '../store/hold-queues.ts';
import { withDelays } from './delay-options.ts';
import { type AskedOption, askOptions } from './forecast-options.ts';
import type { Forecaster } from './forecaster.ts';
import { withCalmStarts } from './io-delays.ts';

/** Options with later submissions among them, and whom the tenant has held back at their sites. */
export interface DelayedOptions {
  readonly asked: readonly AskedOption[];
  readonly holdQueues: ReadonlyMap<string, HoldQueue>;
}

/**
 * A tenant's job in each of the ways in which it may be run with what is forecast of it; where its caller lets it be
 * held back, submitted later as well.
 */
export async function askedOptions(
  { database, forecaster }: { readonly database: Database; readonly forecaster: Forecaster },
  tenantId: string,
  request: PlanRequest,
  sites: readonly CandidateSite[],
  now: EpochSeconds,
): Promise<DelayedOptions> {
  const asked = await askOptions(forecaster, request, sites, now);
  const { holdBackUntil: latestAt = now, avoidIoBurstsUntil = now, deadlineAt } = request;
  const calm = (options: readonly AskedOption[]) =>
    avoidIoBurstsUntil <= now
      ? options
      : withCalmStarts(forecaster, options, { now, latestAt: avoidIoBurstsUntil, deadlineAt });
  if (latestAt <= now) return { asked: await calm(asked), holdQueues: new Map() };
  const holdQueues = await findHoldQueues(database.db, tenantId, now);
  const delayed = await withDelays(forecaster, asked, { now, latestAt, deadlineAt, holdQueues });
  return { asked: await calm(delayed), holdQueues };
}
