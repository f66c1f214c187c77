import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { partExperiment } from '../experiment/run/part-experiment.ts';
import type { PartListener, PartsComputer, ToldParts } from '../experiment/run/part-threads.ts';
import { buildChecksum } from './build-checksum.ts';
import { HandedOut } from './handed-out.ts';
import { filesOf } from './part-files.ts';
import {
  MOST_ATTEMPTS,
  MOST_PARTS_IN_QUEUE,
  MOST_TOLD_BYTES,
  NoWorkersError,
  PARTS_QUEUE,
  type PartJob,
} from './part-jobs.ts';
import { connectionOf, openRedis, shown } from './redis-link.ts';

export interface MachinesOptions {
  /** Of the Redis that workers take parts from. */
  readonly url: string;
  /** Given up when no worker was heard of for so long. */
  readonly patienceSeconds: number;
  /** What a part may take. */
  readonly partSeconds: number;
  /** Told when no worker has been heard of for some seconds, and when one is again. */
  readonly onWorkers: (areThere: boolean) => void;
}

/** Other machines that compute parts of experiments. */
export interface Machines {
  /**
   * Hands the parts out and collects what they come to.
   * @throws PartFault for a part that was not computed, NoWorkersError when nobody computes any, WorkloadError and
   * RangeError as `runExperiment`
   */
  readonly compute: PartsComputer;
  close(): Promise<void>;
}

const JOB_OPTIONS = {
  attempts: MOST_ATTEMPTS,
  backoff: { type: 'fixed', delay: 1000 },
  // Their caller takes them away; these are of those that were killed.
  removeOnComplete: { age: 86_400 },
  removeOnFail: { age: 86_400 },
};

/** Opens the queue that workers on other machines take parts from. @throws NoWorkersError for a Redis that is away */
export async function openMachines(options: MachinesOptions): Promise<Machines> {
  const redis = await openRedis(options.url);
  const queue = new Queue<PartJob, string>(PARTS_QUEUE, {
    connection: connectionOf(options.url),
    defaultJobOptions: JOB_OPTIONS,
  });
  // It is connected anew by itself; whoever waits has a deadline.
  queue.on('error', () => undefined);
  const build = buildChecksum();
  return {
    compute: (told, parts, listener) => spread({ redis, queue, build, options }, told, parts, listener),
    async close() {
      await queue.close();
      redis.disconnect();
    },
  };
}

/** What parts are handed out by. */
export interface MachinesLink {
  readonly redis: Redis;
  readonly queue: Queue<PartJob, string>;
  readonly build: string;
  readonly options: MachinesOptions;
}

async function spread(link: MachinesLink, told: ToldParts, parts: readonly string[], listener: PartListener) {
  const files = await filesOf(told, partExperiment(told.name).files ?? []);
  const toldBytes = Buffer.byteLength(JSON.stringify(told));
  if (toldBytes > MOST_TOLD_BYTES)
    throw new RangeError(`the parameters are ${toldBytes} bytes; ${MOST_TOLD_BYTES} are the most with workers`);
  const counts = await link.queue.getJobCounts('waiting', 'active', 'delayed');
  const waiting = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (waiting + parts.length > MOST_PARTS_IN_QUEUE) {
    const most = `${MOST_PARTS_IN_QUEUE} are the most at ${shown(link.options.url)}`;
    throw new NoWorkersError(`${waiting} parts wait already and these would be ${parts.length} more; ${most}`);
  }
  return new HandedOut(link, { told, files }, parts, listener).collect();
}
