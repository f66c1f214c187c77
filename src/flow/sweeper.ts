import { deleteExpiredIdempotencyKeys } from '../store/idempotency.ts';
import { findOverdueWakeUps } from '../store/outbox.ts';
import { deleteObservationsBefore } from '../store/sites.ts';
import type { FlowContext } from './context.ts';
import type { WakeQueue } from './kit.ts';
import { logFault } from './log-fault.ts';

const BATCH = 1000;
const RETENTION_INTERVAL_MILLISECONDS = 60_000;

/**
 * Rebuilds lost wake-ups from the tables: any row whose wake-up is overdue and that nobody works on is brought back into the
 * queue. It makes the queue store expendable. Now and then it also ends retentions.
 */
export function startSweeper(context: FlowContext, queue: WakeQueue): { close(): Promise<void> } {
  let sweeping: Promise<void> | null = null;
  let retainedAt = performance.now();

  async function sweep(): Promise<void> {
    const now = context.clock.now();
    const overdue = await findOverdueWakeUps(context.database.db, now - context.settings.overdueSeconds, BATCH);
    if (overdue.length > 0) {
      context.logger.info({ count: overdue.length }, 'overdue rows woken again');
      await queue.add(
        overdue.map(({ version, ...wakeUp }) => ({ wakeUp, delayMilliseconds: 0, sweptVersion: version })),
      );
    }
    if (performance.now() - retainedAt < RETENTION_INTERVAL_MILLISECONDS) return;
    retainedAt = performance.now();
    await deleteObservationsBefore(context.database.db, now - context.settings.retentionSeconds);
    await deleteExpiredIdempotencyKeys(context.database.db);
  }

  const timer = setInterval(() => {
    sweeping ??= sweep()
      .catch((error: unknown) => logFault(context.logger, error, 'sweeper'))
      .finally(() => {
        sweeping = null;
      });
  }, context.settings.sweepMilliseconds);
  return {
    async close() {
      clearInterval(timer);
      await sweeping;
    },
  };
}
