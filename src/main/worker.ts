import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FlowWorker, startFlowWorker } from '../flow/worker.ts';
import { outagesOf } from '../store/outages.ts';
import { seekAfterRestore } from '../store/restores.ts';
import { explainListenError } from './cannot-start.ts';
import { readConfig } from './config.ts';
import { flowContext } from './flow-context.ts';
import { answerHealth } from './health.ts';
import { type RunningProcess, runUntilSignal } from './process.ts';
import { explainQueueError } from './queue-errors.ts';
import { type Parts, wire } from './wire.ts';

/**
 * Starts a worker and its small health server, which is there once the stores are.
 * @throws CannotStart when one of them cannot be reached
 */
export async function startWorkerProcess(config = readConfig()): Promise<RunningProcess> {
  const parts = await wire(config, 'worker', null);
  let stopping = false;
  const flow = await startFlow(parts).catch(async (error: unknown) => {
    await parts.close();
    throw explainQueueError(error);
  });
  const condition = {
    isStopping: () => stopping,
    isAlive: () => flow.pulse.isMoving,
    reachesQueues: () => flow.reachesQueues(),
  };
  const health = createServer((request, response) => {
    answerHealth(parts, condition, request, response).then(
      (answered) => answered || response.writeHead(404).end(),
      (error: unknown) => {
        parts.logger.error({ err: error }, 'health');
        response.writeHead(500).end();
      },
    );
  });
  health.listen(config.GRIDCAST_WORKER_PORT, config.GRIDCAST_HOST);
  await once(health, 'listening').catch(async (error: unknown) => {
    await flow.close();
    await parts.close();
    throw explainListenError(error, config.GRIDCAST_HOST, config.GRIDCAST_WORKER_PORT, 'GRIDCAST_WORKER_PORT');
  });
  const { port } = health.address() as AddressInfo;
  parts.logger.info({ port }, 'worker ready');
  return {
    url: `http://${config.GRIDCAST_HOST}:${port}`,
    isAlive: condition.isAlive,
    sayLast() {
      const { last } = outagesOf(parts.logger);
      const why = flow.pulse.givenUpBecause ?? 'nothing moves any more';
      const facts = { stillSeconds: Math.round(flow.pulse.stillMilliseconds / 1000), lastFault: last };
      parts.logger.fatal(facts, `${why}: the worker ends, to be started again`);
    },
    async close() {
      stopping = true;
      await flow.close();
      health.close();
      await parts.close();
    },
  };
}

async function startFlow(parts: Parts): Promise<FlowWorker> {
  const { database, clock, logger, queues } = parts;
  const sought = await seekAfterRestore(database, clock.now());
  if (sought !== null)
    logger.warn({ sought }, 'the database is of another server or timeline: open jobs are looked for');
  return startFlowWorker(flowContext(parts), queues);
}

/** What `gridcast worker` runs. */
export const runWorker = (): Promise<void> => runUntilSignal('worker', startWorkerProcess);
