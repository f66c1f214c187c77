import type { EpochSeconds } from '../../../domain/clock.ts';
import type { JobRequest } from '../../../domain/job.ts';
import { partOfQueue, type SitePart } from '../../../domain/site-part.ts';
import type { RunningJob, Snapshot } from '../../../domain/snapshot.ts';
import type { Features } from '../../online/features.ts';
import { planLoads, plannedWaitSeconds, type TotalSeconds } from '../site-load.ts';
import { jobAt, type MachineOfSite, stateAt } from './machines.ts';
import type { SiteMemory } from './site-memory.ts';

/** A job that is asked about at a moment, and how long it is expected to run. */
export interface AskedWithin {
  readonly job: JobRequest;
  readonly at: EpochSeconds;
  readonly memory: SiteMemory;
  readonly runSeconds: number;
}

/**
 * What the part of its site in which a job runs has of each resource, what others hold and ask for of it before the
 * job, and when the job would start by its processors alone and by its GPUs alone. Nothing at all where the parts of
 * the site are not told. O(w (w + r)) for w waiting and r running jobs of the part.
 */
export function addResources(features: Features, asked: AskedWithin, state: Snapshot): void {
  if (!state.parts) return;
  const part = partOfQueue(state.parts, asked.job.queue) ?? NO_PART;
  addMachine(features, asked, state, { name: 'processors', part, countsGpus: false });
  addMachine(features, asked, state, { name: 'gpus', part, countsGpus: true });
  addMemory(features, asked.job, state, part);
}

function addMachine(
  features: Features,
  { job, at, memory, runSeconds }: AskedWithin,
  state: Snapshot,
  machine: MachineOfSite,
) {
  const { name: group } = machine;
  const seen = stateAt(machine, state);
  const { processors: own } = jobAt(machine, job);
  const oldest = seen.waiting.reduce((age, { submitAt }) => Math.max(age, at - submitAt), 0);
  const asked = seen.waiting.reduce((sum, { processors }) => sum + processors, 0);
  const work = seen.waiting.reduce((sum, one) => sum + one.processors * (one.requestedWalltimeSeconds ?? 0), 0);
  const expected: TotalSeconds = (one) =>
    'startAt' in one ? memory.expectedTotalSeconds(one as RunningJob, at) : memory.expectedRunSeconds(one);
  const load = planLoads(seen, expected);
  features.add(own, 'Own', group);
  features.add(seen.processors, 'InPart', group);
  features.add(seen.freeProcessors, 'FreeInPart', group);
  features.add(seen.freeProcessors - own, 'SpareInPart', group);
  features.add(seen.waiting.length, 'WaitingJobsInPart', group);
  features.add(asked, 'AskedAheadInPart', group);
  features.add(work, 'WorkAheadInPart', group);
  features.add(oldest, 'OldestAgeInPart', group);
  features.add(lastStartWait(seen.running), 'LastStartWaitInPart', group);
  features.add(plannedWaitSeconds(load.queue, own, runSeconds), 'PlannedWaitInPart', group);
  features.add(plannedWaitSeconds(load.machine, own, 0), 'FreeInSecondsInPart', group);
}

function addMemory(features: Features, job: JobRequest, state: Snapshot, part: SitePart): void {
  const parts = state.parts ?? [];
  const sum = (jobs: readonly JobRequest[]) =>
    jobs.reduce((all, one) => all + (partOfQueue(parts, one.queue) === part ? (one.memoryMebibytes ?? 0) : 0), 0);
  const own = job.memoryMebibytes ?? Number.NaN;
  const free = (part.memoryMebibytes ?? Number.NaN) - sum(state.running);
  features.add(own, 'ownMemoryMebibytes');
  features.add(free, 'freeMemoryMebibytes');
  features.add(free - own, 'spareMemoryMebibytes');
  features.add(sum(state.waiting), 'memoryMebibytesAskedAhead');
}

function lastStartWait(running: readonly RunningJob[]): number {
  const last = running.reduce<RunningJob | null>(
    (last, job) => (last && last.startAt >= job.startAt ? last : job),
    null,
  );
  return last ? last.startAt - last.submitAt : Number.NaN;
}

/** Of a job whose queue is in none. */
const NO_PART: SitePart = { processors: 0, gpus: 0, memoryMebibytes: null };
