import { DelayedError, type Job, type JobsOptions } from 'bullmq';
import { asLostWakeUp } from '../store/lost-wake-up.ts';
import type { WakeUp } from '../store/outbox.ts';
import { RedisFault } from '../store/redis-fault.ts';
import { QueueCondition } from './queue-condition.ts';
import { backendOf, openLink, openReady, type QueueStore } from './queue-store.ts';
import {
  type DelayedWakeUp,
  handleAll,
  type JobData,
  jobsOf,
  SomeFailed,
  type WakeUpResult,
  wakeUpsOf,
} from './wake-up-jobs.ts';

/** The way into the queue. */
export interface WakeQueue {
  /** Returning means every wake-up is in the queue; one that was there already stays single. */
  add(wakeUps: readonly DelayedWakeUp[]): Promise<void>;
  /** Jobs that wait, are delayed or run. */
  size(): Promise<number>;
  /** Whether the queue store answers in time, takes what is put in and gives what is there. */
  isGood(): Promise<boolean>;
  /** Told of what went wrong with taking wake-ups out. */
  noteFault(error: Error): void;
  /** Throws every wake-up away. They can be rebuilt from the tables. */
  obliterate(): Promise<void>;
  close(): Promise<void>;
}

/** The way out of the queue. */
export interface WakeWorker {
  /** Finishes the wake-ups in hand and takes no more. */
  close(): Promise<void>;
}

/** Sites have a queue and slots of their own, so that neither they nor promises keep the others waiting. */
const QUEUES = { sites: 'site-wake-ups', work: 'wake-ups' } as const;
type QueueName = keyof typeof QUEUES;
const QUEUE_NAMES = Object.keys(QUEUES) as QueueName[];

/** How many wake-ups a worker takes in hand at once: of sites, and of executions and co-allocations. */
export type InHand = Readonly<Record<QueueName, number>>;

const JOB_OPTIONS: JobsOptions = {
  attempts: 3,
  backoff: { type: 'exponential', delay: 200 },
  removeOnComplete: true,
  // The row's own wake-up time is still in its table: the sweeper brings it back.
  removeOnFail: true,
};

const WORKER_OPTIONS = {
  autorun: false,
  lockDuration: 30_000,
  maxStalledCount: 3,
  // BullMQ's own pause after a refused connection is 15 s, for which no wake-up would be on time.
  runRetryDelay: 1000,
};

/** So many are added one by one. */
const FEW_JOBS = 16;

/** To PostgreSQL, of one worker's queues. */
const CONNECTIONS = 12;

/**
 * Opens the queue for writing. A queue store that is away is waited for, a minute at most.
 * @throws what it last said, and at once that it does not let us in
 */
export async function openWakeQueue(store: QueueStore, onError: (error: Error) => void): Promise<WakeQueue> {
  const { Queue } = backendOf(store);
  const link = openLink(store, 3, onError);
  const onQueueError = (error: Error) => onError(link.faultOf(error));
  const queues = await openReady(link, onError, () =>
    QUEUE_NAMES.map((name) => {
      const options = { connection: link.connection, defaultJobOptions: JOB_OPTIONS };
      return { name, queue: new Queue<JobData>(QUEUES[name], options).on('error', onQueueError) };
    }),
  );
  const add = async (wakeUps: readonly DelayedWakeUp[]) => {
    for (const { name, queue } of queues) {
      const jobs = jobsOf(wakeUps.filter(({ wakeUp }) => queueOf(wakeUp) === name));
      // In bulk BullMQ makes and drops two tables in PostgreSQL, which costs as much as many single ones.
      if (jobs.length > FEW_JOBS) await queue.addBulk(jobs);
      else for (const { name: kind, data, opts } of jobs) await queue.add(kind, data, opts);
    }
  };
  const condition = new QueueCondition(() => Promise.all(queues.map(({ queue }) => queue.getJobCounts('active'))));
  return {
    add: (wakeUps) =>
      condition
        .putIn(() => add(wakeUps))
        .catch((error: Error) => {
          throw link.faultOf(error);
        }),
    isGood: () => condition.isGood(),
    noteFault(error) {
      if (error instanceof RedisFault && error.isRefusal) condition.noteRefusal();
    },
    async size() {
      let size = 0;
      for (const { queue } of queues) {
        const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized');
        size += Object.values(counts).reduce((sum, count) => sum + count, 0);
      }
      return size;
    },
    async obliterate() {
      for (const { queue } of queues) await queue.obliterate({ force: true });
    },
    async close() {
      for (const { queue } of queues) await queue.close();
      await link.close();
    },
  };
}

/**
 * Starts taking wake-ups out of the queue, so many at once of each kind. A handler that throws is tried again a little
 * later, three times in all; after that the sweeper finds the row overdue. A queue store that is away is asked again
 * with growing pauses.
 * @throws what it last said when it was away for a minute at the start, and at once that it does not let us in
 */
export async function startWakeWorker(
  store: QueueStore,
  inHand: InHand,
  handle: (wakeUp: WakeUp) => Promise<WakeUpResult>,
  onError: (error: Error, wakeUp: WakeUp | null) => void,
): Promise<WakeWorker> {
  const { Worker } = backendOf(store);
  const link = openLink(store, CONNECTIONS, (error) => onError(error, null));
  const onQueueError = (error: Error) => onError(link.faultOf(error), null);
  const carryOut = async (job: Job<JobData>, token?: string) => {
    const againInMilliseconds = await handleAll(wakeUpsOf(job.data), handle, onError);
    if (againInMilliseconds === null) return;
    await job.moveToDelayed(Date.now() + againInMilliseconds, token);
    throw new DelayedError();
  };
  const { connection } = link;
  const workers = await openReady(link, onQueueError, () =>
    QUEUE_NAMES.map((name) => {
      const options = { ...WORKER_OPTIONS, connection, concurrency: inHand[name] };
      return { queue: new Worker<JobData>(QUEUES[name], carryOut, options).on('error', onQueueError) };
    }),
  );
  for (const { queue: worker } of workers) {
    worker.on('failed', (job, error) => {
      // Of several wake-ups it is told as they fail.
      if (!(error instanceof SomeFailed)) onError(asLostWakeUp(error), wakeUpsOf(job?.data)[0] ?? null);
    });
    worker.run().catch(onQueueError);
  }
  return {
    async close() {
      await Promise.all(workers.map(({ queue: worker }) => worker.close()));
      await link.close();
    },
  };
}

function queueOf({ kind }: WakeUp): QueueName {
  return kind === 'SITE' ? 'sites' : 'work';
}
