import { keepForecastMonths } from '../store/forecast-months.ts';
import { deleteExpiredIdempotencyKeys } from '../store/idempotency.ts';
import { deleteScoreDaysBefore, tallyNextDay } from '../store/score-tallies.ts';
import { forgetScriptsBefore } from '../store/scripts.ts';
import { deleteObservationsBefore } from '../store/sites.ts';
import { deleteSlotForecastsBefore } from '../store/slot-forecasts.ts';
import type { FlowContext } from './context.ts';

const RETENTION_BATCH = 5000;
/** At a time, where many have come up. */
const MOST_DAYS_TALLIED = 50;
/** Longer than anybody can ask for days of scores. */
const SCORE_DAYS_SECONDS = 100 * 86_400;

/** Sums up what is over, then deletes what has been kept long enough, in batches that hold nobody up. */
export async function endRetentions({ database, clock, settings, logger }: FlowContext): Promise<void> {
  const { db } = database;
  const before = clock.now() - settings.retentionSeconds;
  for (let day = 0; day < MOST_DAYS_TALLIED && (await tallyNextDay(database, clock.now())); day++);
  while ((await deleteScoreDaysBefore(db, clock.now() - SCORE_DAYS_SECONDS, RETENTION_BATCH)) === RETENTION_BATCH);
  while ((await deleteObservationsBefore(db, before, RETENTION_BATCH)) === RETENTION_BATCH);
  while ((await deleteSlotForecastsBefore(db, before, RETENTION_BATCH)) === RETENTION_BATCH);
  while ((await deleteExpiredIdempotencyKeys(db, RETENTION_BATCH)) === RETENTION_BATCH);
  const endedBefore = clock.now() - settings.scriptRetentionSeconds;
  while ((await forgetScriptsBefore(database, endedBefore, RETENTION_BATCH)) === RETENTION_BATCH);
  const months = await keepForecastMonths(database, settings.forecastRetentionMonths);
  if (months.made.length + months.dropped.length > 0) logger.info(months, 'months of forecasts');
}
