import { noteMissedDeadlines } from '../store/deadlines.ts';
import type { FlowContext } from './context.ts';

const BATCH = 500;

/**
 * Notes every deadline that has passed before its job has ended, before its start as after it, and tells whoever
 * follows the job.
 */
export async function tellMissedDeadlines({ database, clock, settings, logger }: FlowContext): Promise<void> {
  const now = clock.now();
  for (let count = BATCH; count === BATCH; ) {
    const ids = await noteMissedDeadlines(database.db, now, settings.staleAfterSeconds, BATCH);
    for (const executionId of ids) logger.info({ executionId }, 'deadline missed');
    count = ids.length;
  }
}
