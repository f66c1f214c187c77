import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../store/events.ts';
import { logFault } from '../store/log-fault.ts';
import { OUTBOX_CHANNEL, takeWakeUps } from '../store/outbox.ts';
import type { FlowContext } from './context.ts';
import type { WakeQueue } from './wake-queue.ts';

const BATCH = 200;
const POLL_MILLISECONDS = 1000;
/** After several wake-ups the next ones wait for so long, so that there are more of them. */
const PACE_MILLISECONDS = 10;

/** Carries wake-ups from the outbox into the queue, on every announcement and once a second in any case. */
export async function startRelay(context: FlowContext, queue: WakeQueue): Promise<{ close(): Promise<void> }> {
  let running: Promise<void> | null = null;
  let wanted = false;

  async function drain(): Promise<void> {
    do {
      wanted = false;
      const begunAt = performance.now();
      let relayed = 0;
      for (let count = BATCH; count === BATCH; relayed += count) count = await relayBatch(context, queue);
      const leftMilliseconds = begunAt + PACE_MILLISECONDS - performance.now();
      if (relayed > 1 && leftMilliseconds > 0) await sleep(leftMilliseconds);
    } while (wanted);
  }

  function kick(): void {
    wanted = true;
    running ??= drain()
      .catch((error: unknown) => logFault(context.logger, error, 'relay'))
      .finally(() => {
        running = null;
      });
  }

  const listener = await listen(context.database.url, OUTBOX_CHANNEL, kick, (error) =>
    logFault(context.logger, error, 'outbox listener'),
  );
  const timer = setInterval(kick, POLL_MILLISECONDS);
  kick();
  return {
    async close() {
      clearInterval(timer);
      await listener.close();
      await running;
    },
  };
}

/** Moves one batch. When the queue refuses it the transaction rolls back and the outbox keeps every row. */
function relayBatch(context: FlowContext, queue: WakeQueue): Promise<number> {
  return context.database.transaction(async (tx) => {
    const wakeUps = await takeWakeUps(tx, BATCH);
    if (wakeUps.length > 0) {
      await queue.add(
        wakeUps.map((wakeUp) => ({
          wakeUp,
          delayMilliseconds: context.clock.wallMillisecondsUntil(wakeUp.wakeAt),
          swept: null,
        })),
      );
    }
    return wakeUps.length;
  });
}
