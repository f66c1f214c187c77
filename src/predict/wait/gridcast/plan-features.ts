import type { EpochSeconds } from '../../../domain/clock.ts';
import { type JobRequest } from '../../../domain/job.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../../../domain/snapshot.ts';
import { planLoad, plannedWaitSeconds, type TotalSeconds } from '../site-load.ts';
import type { SiteMemory } from './site-memory.ts';

/**
 * When the job would start if nobody else came: behind the queue and as if there were none, with every job running as
 * long as it asked for and as long as its like ran; and the work that is ahead of it.
 * @param runSeconds how long the job is expected to run
 */
export function planFeatures(
  job: JobRequest,
  at: EpochSeconds,
  state: Snapshot,
  memory: SiteMemory,
  runSeconds: number,
): Record<string, number> {
  const expected: TotalSeconds = (other) =>
    isRunning(other) ? memory.expectedTotalSeconds(other, at) : memory.expectedRunSeconds(other);
  const requested: TotalSeconds = (other) => other.requestedWalltimeSeconds ?? memory.expectedRunSeconds(other);
  const machine: Snapshot = { ...state, waiting: [] };
  const plannedFor = (snapshot: Snapshot, totalSeconds: TotalSeconds, seconds: number) =>
    plannedWaitSeconds(planLoad(snapshot, totalSeconds), job.processors, seconds);
  const walltimeSeconds = job.requestedWalltimeSeconds ?? runSeconds;
  const workLeft = (totalSeconds: TotalSeconds) =>
    state.running.reduce((sum, one) => sum + one.processors * Math.max(0, one.startAt + totalSeconds(one) - at), 0);
  return {
    plannedWaitByRequest: plannedFor(state, requested, walltimeSeconds),
    plannedWaitByExpectation: plannedFor(state, expected, runSeconds),
    processorsFreeInByRequest: plannedFor(machine, requested, 0),
    processorsFreeInByExpectation: plannedFor(machine, expected, 0),
    workLeftByRequest: workLeft(requested),
    workLeftByExpectation: workLeft(expected),
    expectedWorkWaiting: state.waiting.reduce((sum, one) => sum + one.processors * expected(one), 0),
  };
}

function isRunning(job: WaitingJob | RunningJob): job is RunningJob {
  return 'startAt' in job;
}
