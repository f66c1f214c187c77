import type { EpochSeconds } from '../../../domain/clock.ts';
import { LOAD } from '../../../predict/load/load.ts';
import { awaitsLearning } from '../../../store/site-owners.ts';
import type { SiteRow } from '../../../store/sites.ts';
import {
  type NewSlotForecast,
  newestSlotForecastAt,
  saveSlotForecasts,
  scoreLoad,
} from '../../../store/slot-forecasts.ts';
import type { FlowContext } from '../../context.ts';

const HOUR_SECONDS = 3600;
/** The hours ahead whose forecasts are kept: the next one, and those that begin in six hours and in a day. */
const KEPT_LEADS = [0, 5, 23] as const;
/** Accounting has told of a slot's jobs by then. */
const SETTLED_SECONDS = HOUR_SECONDS;
const SCORED_AT_ONCE = 48;

/** Those that forecast it for some site just now. */
const busy = new WeakSet<FlowContext['forecaster']>();

/**
 * Once an hour the forecasts of the load that arrives are kept, and those whose hours are over are scored. A site is
 * watched and its jobs followed whether or not that succeeds. It is due at all sites at once, and most of them have to
 * be taken in for it, so a process does one after the other; one that is to be learned first has nothing to say.
 */
export async function keepLoadForecasts(context: FlowContext, site: SiteRow): Promise<void> {
  const { forecaster } = context;
  if (busy.has(forecaster)) return;
  busy.add(forecaster);
  try {
    if (await areDue(context, site)) await forecastAndScore(context, site);
  } finally {
    busy.delete(forecaster);
  }
}

async function areDue({ clock, database }: FlowContext, site: SiteRow): Promise<boolean> {
  const newestAt = await newestSlotForecastAt(database.db, site.id, LOAD.name);
  if (newestAt !== null && hourOf(newestAt) >= hourOf(clock.now())) return false;
  return !(await awaitsLearning(database.db, site.id));
}

async function forecastAndScore({ clock, database, forecaster, logger }: FlowContext, site: SiteRow): Promise<void> {
  const now = clock.now();
  try {
    const query = { slots: Math.max(...KEPT_LEADS) + 1, slotSeconds: HOUR_SECONDS };
    const forecasts = await forecaster.forecastSlots(site.id, LOAD.name, query, now);
    await scoreLoad(database.db, site.id, { overBy: now - SETTLED_SECONDS, scoredAt: now, limit: SCORED_AT_ONCE });
    await saveSlotForecasts(
      database.db,
      forecasts.flatMap((forecast) => KEPT_LEADS.flatMap((lead) => kept(site.id, forecast, lead))),
    );
  } catch (error) {
    logger.warn({ err: error, siteId: site.id }, 'the load of a site could not be forecast to be scored');
  }
}

/** Nothing where nothing is known. */
function kept(
  siteId: string,
  {
    predictor,
    version,
    madeAt,
    slotSeconds,
    slots,
  }: Awaited<ReturnType<FlowContext['forecaster']['forecastSlots']>>[0],
  lead: number,
): NewSlotForecast[] {
  const slot = slots[lead];
  if (!slot || !Number.isFinite(slot.point)) return [];
  const { startsAt, sampleSize, point, percentiles } = slot;
  const bound = percentiles[94] ?? Number.POSITIVE_INFINITY;
  const bound95 = Number.isFinite(bound) ? bound : null;
  const made = { siteId, quantity: LOAD.name, predictor, version, madeAt, slotSeconds };
  return [{ ...made, startsAt, lead, sampleSize, point, bound95 }];
}

function hourOf(at: EpochSeconds): number {
  return Math.floor(at / HOUR_SECONDS);
}
