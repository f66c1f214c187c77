import { setTimeout as sleep } from 'node:timers/promises';
import {
  createPostgresBackend,
  createRedisBackend,
  DelayedError,
  type IQueueBackend,
  type Job,
  type JobsOptions,
  runMigrations,
  withBackend,
} from 'bullmq';
import pg from 'pg';
import { awayPauseMilliseconds, untilDatabaseIsThere } from '../store/database-away.ts';
import { DatabaseClient } from '../store/database-client.ts';
import { openPool } from '../store/database-pool.ts';
import type { WakeUp } from '../store/outbox.ts';
import { preparedNames } from '../store/prepared-names.ts';
import type { StatementCounts } from '../store/statements.ts';
import {
  type DelayedWakeUp,
  handleAll,
  type JobData,
  jobsOf,
  SomeFailed,
  type WakeUpResult,
  wakeUpsOf,
} from './wake-up-jobs.ts';

/** Where BullMQ keeps its queues: in PostgreSQL beside our tables, or in Redis when an address is given. */
export interface QueueStore {
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  /** Counts what is sent to PostgreSQL; nobody does unless told. */
  readonly statements?: StatementCounts;
}

/** The way into the queue. */
export interface WakeQueue {
  /** Returning means every wake-up is in the queue; one that was there already stays single. */
  add(wakeUps: readonly DelayedWakeUp[]): Promise<void>;
  /** Jobs that wait, are delayed or run. */
  size(): Promise<number>;
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
const START_PATIENCE_MILLISECONDS = 30_000;

/** Creates or updates BullMQ's own schema. Redis needs none. */
export async function migrateQueues({ databaseUrl, redisUrl }: QueueStore): Promise<void> {
  if (redisUrl) return;
  const client = new DatabaseClient({ connectionString: databaseUrl });
  await client.connect();
  try {
    await runMigrations(client);
  } finally {
    await client.end();
  }
}

/**
 * Opens the queue for writing. A PostgreSQL that is away is waited for, half a minute at most.
 * @throws what it last said
 */
export async function openWakeQueue(store: QueueStore, onError: (error: Error) => void): Promise<WakeQueue> {
  const { Queue } = backendOf(store);
  const link = openLink(store, 3, onError);
  const queues = await openReady(link, onError, () =>
    QUEUE_NAMES.map((name) => {
      const options = { connection: link.connection, defaultJobOptions: JOB_OPTIONS };
      return { name, queue: new Queue<JobData>(QUEUES[name], options).on('error', onError) };
    }),
  );
  return {
    async add(wakeUps) {
      for (const { name, queue } of queues) {
        const jobs = jobsOf(wakeUps.filter(({ wakeUp }) => queueOf(wakeUp) === name));
        // In bulk BullMQ makes and drops two tables in PostgreSQL, which costs as much as many single ones.
        if (jobs.length > FEW_JOBS) await queue.addBulk(jobs);
        else for (const { name: kind, data, opts } of jobs) await queue.add(kind, data, opts);
      }
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
 * @throws what PostgreSQL last said when it was away for half a minute at the start
 */
export async function startWakeWorker(
  store: QueueStore,
  inHand: InHand,
  handle: (wakeUp: WakeUp) => Promise<WakeUpResult>,
  onError: (error: Error, wakeUp: WakeUp | null) => void,
): Promise<WakeWorker> {
  const { Worker } = backendOf(store);
  const onQueueError = (error: Error) => onError(error, null);
  const link = openLink(store, CONNECTIONS, onQueueError);
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
      if (!(error instanceof SomeFailed)) onError(error, wakeUpsOf(job?.data)[0] ?? null);
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

type Connection = Readonly<Record<string, unknown>>;

/** What BullMQ reaches its store by, and how to let go of what it does not close itself. */
interface Link {
  readonly connection: Connection;
  close(): Promise<void>;
}

/**
 * BullMQ remembers for good how its first look at the store ended, and asks again without a pause. So what could not
 * look is thrown away, and nothing runs before one could.
 */
async function openReady<Opened extends { queue: { waitUntilReady(): Promise<unknown>; close(): Promise<void> } }>(
  link: Link,
  onError: (error: Error) => void,
  open: () => Opened[],
): Promise<Opened[]> {
  const attempt = async () => {
    const opened = open();
    try {
      for (const { queue } of opened) await queue.waitUntilReady();
      return opened;
    } catch (error) {
      await Promise.all(opened.map(({ queue }) => queue.close()));
      throw error;
    }
  };
  try {
    return await untilDatabaseIsThere(attempt, START_PATIENCE_MILLISECONDS, onError);
  } catch (error) {
    await link.close();
    throw error;
  }
}

function openLink(store: QueueStore, max: number, onLost: (error: Error) => void): Link {
  const { databaseUrl, redisUrl, statements } = store;
  if (redisUrl) {
    return { connection: { url: redisUrl, maxRetriesPerRequest: null }, close: async () => undefined };
  }
  // What is lost of the queue is rebuilt from the tables, so nobody waits until it is on the disk.
  const options = `-c search_path=${SCHEMA} -c synchronous_commit=off`;
  const config = { connectionString: databaseUrl, max, options };
  const pool = openPool(config, onLost, statements);
  return { connection: withPauses(pool), close: () => pool.end() };
}

/**
 * The pool as BullMQ is to see it: a query fails only after a pause, which grows from failure to failure. After any but
 * a refused connection BullMQ asks again at once, some hundred times a second.
 */
function withPauses(pool: pg.Pool): Connection {
  let failures = 0;
  const nameOf = preparedNames();
  return {
    options: pool.options,
    connect: () => pool.connect(),
    end: () => pool.end(),
    // Dead connections have told by themselves.
    on: () => undefined,
    async query(text: string, values: unknown[]) {
      try {
        const result = await pool.query({ name: nameOf({ sql: text }), text, values });
        failures = 0;
        return result;
      } catch (error) {
        await sleep(awayPauseMilliseconds(++failures));
        throw error;
      }
    },
  };
}

/** Where BullMQ's migrations put its tables. */
const SCHEMA = 'bullmq';

function backendOf({ redisUrl }: QueueStore) {
  return redisUrl
    ? withBackend<IQueueBackend, Connection>(createRedisBackend)
    : withBackend<IQueueBackend, Connection>(createPostgresBackend);
}
