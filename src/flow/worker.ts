import { advance } from './advance.ts';
import type { FlowContext } from './context.ts';
import { openWakeQueue, type QueueStore, startWakeWorker } from './kit.ts';
import { logFault } from './log-fault.ts';
import { startRecomputing } from './recompute.ts';
import { startRelay } from './relay.ts';
import { startSweeper } from './sweeper.ts';

/** A running worker: relay, sweeper, the look at waiting promises and the steps themselves. Any number of them may share one deployment. */
export interface FlowWorker {
  /** Finishes the steps in hand, then lets go of everything. */
  close(): Promise<void>;
}

/** Starts taking part in the durable execution of everything in the database. */
export async function startFlowWorker(context: FlowContext, queues: QueueStore): Promise<FlowWorker> {
  const { logger, settings } = context;
  const queue = await openWakeQueue(queues, (error) => logger.warn({ err: error }, 'queue'));
  const worker = await startWakeWorker(
    queues,
    settings.concurrency,
    (wakeUp) => advance(context, wakeUp),
    (error, wakeUp) => {
      if (wakeUp) logFault(logger, error, 'step failed', wakeUp);
      else logger.warn({ err: error }, 'queue');
    },
  );
  const relay = await startRelay(context, queue);
  const sweeper = startSweeper(context, queue);
  const recomputing = startRecomputing(context);
  return {
    async close() {
      await recomputing.close();
      await sweeper.close();
      await relay.close();
      await worker.close();
      await queue.close();
    },
  };
}
