import type { QueueFacts } from '../domain/site.ts';

/** What a job asks of a machine's queues. */
export interface SubmissionRequest {
  readonly processors: number;
  readonly walltimeSeconds: number;
  /** Null asks for the default queue. */
  readonly queue: string | null;
}

/** A job that the machine will never take, in the words of a batch system. */
export class SubmissionRefused extends Error {
  constructor(words: string) {
    super(words);
    this.name = 'SubmissionRefused';
  }
}

/** Whether a queue's limits allow a job of that size and walltime. */
export function admits(queue: QueueFacts, processors: number, walltimeSeconds: number): boolean {
  return (
    processors <= (queue.maxProcessors ?? Number.POSITIVE_INFINITY) &&
    walltimeSeconds <= (queue.maxWalltimeSeconds ?? Number.POSITIVE_INFINITY)
  );
}

/** The first queue, the default one before the others, whose limits admit a job; null when none does. */
export function admittingQueue(
  queues: readonly QueueFacts[],
  processors: number,
  walltimeSeconds: number,
): QueueFacts | null {
  const admitting = queues.filter((queue) => admits(queue, processors, walltimeSeconds));
  return admitting.find((queue) => queue.isDefault) ?? admitting[0] ?? null;
}

/**
 * The queue that takes a job: the one it names, or the default one (the first where none is marked).
 * @throws SubmissionRefused for an unknown queue, or a size or walltime beyond what machine and queue allow
 */
export function admit(
  queues: readonly QueueFacts[],
  machineProcessors: number,
  request: SubmissionRequest,
): QueueFacts {
  const { processors, walltimeSeconds } = request;
  const queue =
    request.queue === null
      ? (queues.find(({ isDefault }) => isDefault) ?? queues[0])
      : queues.find(({ name }) => name === request.queue);
  if (!queue) throw new SubmissionRefused(`invalid partition specified: ${request.queue}`);
  const most = Math.min(machineProcessors, queue.maxProcessors ?? Number.POSITIVE_INFINITY);
  if (!(processors > 0)) throw new SubmissionRefused(`Invalid number of processors: ${processors}`);
  if (processors > most) {
    throw new SubmissionRefused(`More processors requested than permitted (${processors} of ${most} in ${queue.name})`);
  }
  if (!(walltimeSeconds > 0) || !admits(queue, processors, walltimeSeconds)) {
    throw new SubmissionRefused('Requested time limit is invalid (missing or exceeds some limit)');
  }
  return queue;
}
