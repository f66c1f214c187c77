import { DelayedError, type Job, UnrecoverableError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Figure } from '../experiment/experiment.ts';
import { computeOnThread } from '../experiment/run/part-threads.ts';
import { buildChecksum } from './build-checksum.ts';
import { FileFolder } from './part-files.ts';
import {
  faultOf,
  faultText,
  MOST_TIMES_STALLED,
  PARTS_QUEUE,
  type PartEvent,
  PartFault,
  type PartJob,
  type PartProgress,
  runKey,
} from './part-jobs.ts';
import { connectionOf, openRedis } from './redis-link.ts';
import { resultText } from './result-text.ts';
import { startPulse } from './worker-pulse.ts';

export interface PartWorkerOptions {
  /** Of the Redis that holds the parts. */
  readonly url: string;
  /** Where its logs are; nothing else is read. */
  readonly folder: string;
  /** Parts that are computed at a time. */
  readonly threads: number;
  /** By which its faults name it. */
  readonly host: string;
  readonly onPart: (event: PartEvent) => void;
}

/** A worker that computes parts of other machines' experiments. */
export interface PartWorker {
  /** Gives back what it has in hand and takes no more. */
  close(): Promise<void>;
}

/** A dead worker's parts are done again after that, or up to a stall check later. */
const LOCK_MILLISECONDS = 15_000;
const STALL_CHECK_MILLISECONDS = 5000;
const BEAT_MILLISECONDS = 2000;

/** Starts taking parts. @throws NoWorkersError for a Redis that is away */
export async function startPartWorker(options: PartWorkerOptions): Promise<PartWorker> {
  const redis = await openRedis(options.url);
  const closing = new AbortController();
  const context = { redis, options, build: buildChecksum(), files: new FileFolder(options.folder), closing };
  const worker = new Worker<PartJob, string>(PARTS_QUEUE, (job, token) => takePart(context, job, token), {
    connection: connectionOf(options.url),
    concurrency: options.threads,
    lockDuration: LOCK_MILLISECONDS,
    stalledInterval: STALL_CHECK_MILLISECONDS,
    maxStalledCount: MOST_TIMES_STALLED,
  });
  // It is connected anew by itself.
  worker.on('error', () => undefined);
  const stopPulse = startPulse(redis);
  return {
    async close() {
      stopPulse();
      closing.abort();
      await worker.close();
      redis.disconnect();
    },
  };
}

interface WorkerContext {
  readonly redis: Redis;
  readonly options: PartWorkerOptions;
  readonly build: string;
  readonly files: FileFolder;
  readonly closing: AbortController;
}

async function takePart(context: WorkerContext, job: Job<PartJob, string>, token?: string): Promise<string> {
  const { onPart, host } = context.options;
  const say = (event: PartEvent['event'], fault: string | null = null) =>
    onPart({ event, experiment: job.data.told.name, part: job.data.part, fault });
  say('BEGUN');
  try {
    const text = await computePart(context, job);
    say('DONE');
    return text;
  } catch (error) {
    if (context.closing.signal.aborted) {
      say('GIVEN_BACK');
      await job.moveToDelayed(Date.now(), token);
      throw new DelayedError();
    }
    const fault = faultOf(error as Error);
    say('FAILED', fault.message);
    const told = fault.kind === 'CALLER' ? fault : new PartFault(fault.kind, `worker ${host} ${fault.message}`);
    throw fault.kind === 'FAULT' ? new Error(faultText(told)) : new UnrecoverableError(faultText(told));
  }
}

async function computePart({ redis, build, files, closing }: WorkerContext, job: Job<PartJob>): Promise<string> {
  const { data } = job;
  if (data.build !== build)
    throw new PartFault(
      'BUILD',
      `is of build ${build}, not ${data.build}: run the same version of Gridcast and Node.js`,
    );
  const isWanted = async () => (await redis.exists(runKey(data.run))) === 1;
  if (!(await isWanted())) throw new PartFault('GONE', 'found nobody who waits for it');
  const places = await files.find(data.files);
  const figures: Figure[] = [];
  let doneJobs = 0;
  const inHand = computeOnThread({ ...data.told, places }, data.part, {
    onProgress: (_, done) => {
      doneJobs = done;
    },
    onFigure: (_, figure) => void figures.push(figure),
  });
  const endsAt = performance.now() + data.mostSeconds * 1000;
  let stoppedFor: PartFault | null = null;
  const stop = (fault: PartFault) => {
    stoppedFor = fault;
    inHand.stop();
  };
  const giveBack = () => inHand.stop();
  closing.signal.addEventListener('abort', giveBack);
  let beat = 0;
  const look = async () => {
    if (performance.now() > endsAt) stop(new PartFault('LATE', `stopped it after ${data.mostSeconds} s`));
    else if (!(await isWanted())) stop(new PartFault('GONE', 'found nobody who waits for it'));
    else await job.updateProgress({ doneJobs, beat: ++beat } satisfies PartProgress);
  };
  const timer = setInterval(() => void look().catch(() => undefined), BEAT_MILLISECONDS);
  try {
    return resultText({ rows: await inHand.rows, figures });
  } catch (error) {
    throw stoppedFor ?? error;
  } finally {
    clearInterval(timer);
    closing.signal.removeEventListener('abort', giveBack);
  }
}
