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
import type { WakeUp } from '../store/outbox.ts';

/** Where BullMQ keeps its queues: in PostgreSQL beside our tables, or in Redis when an address is given. */
export interface QueueStore {
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
}

/** A wake-up and how long it is still to be held back, in milliseconds of wall time. */
export interface DelayedWakeUp {
  readonly wakeUp: WakeUp;
  readonly delayMilliseconds: number;
  /** The row's version when the sweeper found it overdue; null for a wake-up from the outbox. */
  readonly sweptVersion: number | null;
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

/** What became of a wake-up: carried out, or to be tried again after a while because somebody else had the turn. */
export type WakeUpResult = 'DONE' | { readonly againInMilliseconds: number };

/** The way out of the queue. */
export interface WakeWorker {
  /** Finishes the wake-ups in hand and takes no more. */
  close(): Promise<void>;
}

const QUEUE = 'wake-ups';

const JOB_OPTIONS: JobsOptions = {
  attempts: 3,
  backoff: { type: 'exponential', delay: 200 },
  removeOnComplete: true,
  // The row's own wake-up time is still in its table: the sweeper brings it back.
  removeOnFail: true,
};

/** Creates or updates BullMQ's own schema. Redis needs none. */
export async function migrateQueues({ databaseUrl, redisUrl }: QueueStore): Promise<void> {
  if (redisUrl) return;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await runMigrations(client);
  } finally {
    await client.end();
  }
}

/** Opens the queue for writing. */
export function openWakeQueue(store: QueueStore, onError: (error: Error) => void): WakeQueue {
  const { Queue } = backendOf(store);
  const link = openLink(store, 3);
  const queue = new Queue<WakeUp>(QUEUE, { connection: link.connection, defaultJobOptions: JOB_OPTIONS });
  queue.on('error', onError);
  return {
    async add(wakeUps) {
      await queue.addBulk(
        wakeUps.map(({ wakeUp, delayMilliseconds, sweptVersion }) => ({
          name: wakeUp.kind,
          data: wakeUp,
          opts: { jobId: jobId(wakeUp, sweptVersion), delay: delayMilliseconds },
        })),
      );
    },
    async size() {
      const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized');
      return Object.values(counts).reduce((sum, count) => sum + count, 0);
    },
    obliterate: () => queue.obliterate({ force: true }),
    async close() {
      await queue.close();
      await link.close();
    },
  };
}

/**
 * Starts taking wake-ups out of the queue, up to `concurrency` at once. A handler that throws is tried again a little later,
 * three times in all; after that the sweeper finds the row overdue.
 */
export function startWakeWorker(
  store: QueueStore,
  concurrency: number,
  handle: (wakeUp: WakeUp) => Promise<WakeUpResult>,
  onError: (error: Error, wakeUp: WakeUp | null) => void,
): WakeWorker {
  const { Worker } = backendOf(store);
  const link = openLink(store, concurrency + 3);
  const worker = new Worker<WakeUp>(
    QUEUE,
    async (job: Job<WakeUp>, token?: string) => {
      const result = await handle(job.data);
      if (result === 'DONE') return;
      await job.moveToDelayed(Date.now() + result.againInMilliseconds, token);
      throw new DelayedError();
    },
    { connection: link.connection, concurrency, lockDuration: 30_000, maxStalledCount: 3 },
  );
  worker.on('failed', (job, error) => onError(error, job?.data ?? null));
  worker.on('error', (error) => onError(error, null));
  return {
    async close() {
      await worker.close();
      await link.close();
    },
  };
}

/**
 * One job per row and moment, however often the relay brings it. The sweeper's have names of their own, because the job that
 * a dead worker had in hand blocks its name until BullMQ finds it stalled; the row's version keeps them to one per lost turn.
 */
function jobId({ kind, targetId, wakeAt }: WakeUp, sweptVersion: number | null): string {
  const moment = Math.round(wakeAt * 1000);
  return `${kind}_${targetId}_${moment}${sweptVersion === null ? '' : `_swept_${sweptVersion}`}`;
}

type Connection = Readonly<Record<string, unknown>>;

/** What BullMQ reaches its store by, and how to let go of what it does not close itself. */
interface Link {
  readonly connection: Connection;
  close(): Promise<void>;
}

/**
 * A pool of our own for PostgreSQL, because every connection must have somebody to tell its end to from its first moment: BullMQ
 * listens to its own only after they are made, and a server that dies in between would take the process with it.
 */
function openLink({ databaseUrl, redisUrl }: QueueStore, max: number): Link {
  if (redisUrl) {
    return { connection: { url: redisUrl, maxRetriesPerRequest: null }, close: async () => undefined };
  }
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max,
    keepAlive: true,
    options: `-c search_path=${SCHEMA}`,
  });
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { connection: pool as unknown as Connection, close: () => pool.end() };
}

/** Where BullMQ's migrations put its tables. */
const SCHEMA = 'bullmq';

function backendOf({ redisUrl }: QueueStore) {
  return redisUrl
    ? withBackend<IQueueBackend, Connection>(createRedisBackend)
    : withBackend<IQueueBackend, Connection>(createPostgresBackend);
}
