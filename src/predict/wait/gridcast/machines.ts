import type { JobRequest } from '../../../domain/job.ts';
import { partOfQueue, type SitePart } from '../../../domain/site-part.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../../../domain/snapshot.ts';

/** What of a part of a site a job competes for: its processors, or its GPUs where it asks for any. */
export interface MachineOfSite {
  /** That tells it from the other machines of its site. */
  readonly name: string;
  readonly part: SitePart;
  readonly countsGpus: boolean;
}

/**
 * The machine that decides how long a job waits; null where all of the site is one: its parts are not told, or there is
 * but one without GPUs, or the job's queue is in none.
 */
export function machineFor(job: JobRequest, { parts = [] }: Snapshot): MachineOfSite | null {
  const part = partOfQueue(parts, job.queue);
  if (part === null) return null;
  const countsGpus = (job.gpus ?? 0) > 0 && part.gpus > 0;
  return parts.length === 1 && !countsGpus ? null : machineOf(part, countsGpus);
}

/** All machines of a site but that which is all of it. */
export function machinesIn({ parts = [] }: Snapshot): MachineOfSite[] {
  return parts.flatMap((part) => [
    ...(parts.length > 1 ? [machineOf(part, false)] : []),
    ...(part.gpus > 0 ? [machineOf(part, true)] : []),
  ]);
}

/** A job as it counts at a machine: of one of GPUs these are its processors. */
export function jobAt<Job extends JobRequest>({ countsGpus }: MachineOfSite, job: Job): Job {
  return countsGpus ? { ...job, processors: job.gpus ?? 0 } : job;
}

/** What a site says of one of its machines alone. O(jobs at the site). */
export function stateAt(machine: MachineOfSite, state: Snapshot): Snapshot {
  const { part, countsGpus } = machine;
  const parts = state.parts ?? [];
  const isThere = (job: JobRequest) => partOfQueue(parts, job.queue) === part && (!countsGpus || (job.gpus ?? 0) > 0);
  const seen = <Job extends WaitingJob>(jobs: readonly Job[]) => jobs.filter(isThere).map((job) => jobAt(machine, job));
  const running: RunningJob[] = seen(state.running);
  const processors = countsGpus ? part.gpus : part.processors;
  const busy = running.reduce((sum, job) => sum + job.processors, 0);
  const left = Math.max(0, processors - busy);
  const freeProcessors = countsGpus ? left : Math.min(left, state.freeProcessors);
  const { observedAt } = state;
  return { observedAt, processors, freeProcessors, waiting: seen(state.waiting), running };
}

function machineOf(part: SitePart, countsGpus: boolean): MachineOfSite {
  const [first = ''] = [...(part.queues ?? [])].sort();
  return { name: `${countsGpus ? 'gpus' : 'processors'} ${first}`, part, countsGpus };
}
