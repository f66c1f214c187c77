import type { JobOutcome } from '../../src/domain/job.ts';
import type { NativeJob } from '../../src/domain/site-adapter.ts';
import type { Dialect } from './config.ts';
import type { PbsJob } from './parse.ts';

/**
 * Statuses that the servers themselves give to jobs they end. Sources: OpenPBS src/include/job.h, Torque
 * src/include/pbs_job.h.
 */
const SERVER_STATUSES: Readonly<Record<Dialect, Readonly<Record<number, JobOutcome>>>> = {
  openpbs: {
    ...{ [-29]: 'TIMEOUT', [-28]: 'TIMEOUT' },
    ...{ [-27]: 'OUT_OF_MEMORY', [-26]: 'OUT_OF_MEMORY' },
    ...{ [-4]: 'NODE_FAIL', [-5]: 'NODE_FAIL', [-6]: 'NODE_FAIL' },
  },
  torque: {
    ...{ [-11]: 'TIMEOUT', [-12]: 'TIMEOUT', [-10]: 'OUT_OF_MEMORY' },
    ...{ [-4]: 'NODE_FAIL', [-5]: 'NODE_FAIL', [-6]: 'NODE_FAIL' },
  },
};

/**
 * How a job ended. A status of 0 to 127 is the script's own, from 128 (256 on Linux) on a signal ended it, below 0 the
 * server did. Of a signal PBS does not say who sent it: when the walltime was used up it was that, when the job was
 * deleted it was cancelled.
 */
export function outcomeOf(job: PbsJob, dialect: Dialect): JobOutcome {
  const { exitStatus, usedWalltimeSeconds, requestedWalltimeSeconds, wasDeleted, startAt } = job;
  if (exitStatus === 0) return 'COMPLETED';
  const byServer = exitStatus === null ? undefined : SERVER_STATUSES[dialect][exitStatus];
  if (byServer) return byServer;
  const hasExited = exitStatus !== null && exitStatus > 0 && exitStatus < 128;
  if (hasExited) return 'FAILED';
  const hasUsedItsTime =
    requestedWalltimeSeconds !== null &&
    usedWalltimeSeconds !== null &&
    usedWalltimeSeconds >= requestedWalltimeSeconds;
  if (hasUsedItsTime) return 'TIMEOUT';
  return wasDeleted || startAt === null ? 'CANCELLED' : 'FAILED';
}

/**
 * A job as it stands; null for one that runs and of which PBS does not say since when, about which nothing is claimed.
 */
export function nativeJobOf(job: PbsJob, dialect: Dialect): NativeJob | null {
  const { nativeId, submitAt: submittedAt, startAt, phase } = job;
  const ref = { nativeId, submittedAt };
  if (phase === 'WAITING') return { ...ref, state: 'WAITING', startAt: null, endAt: null, outcome: null };
  if (phase === 'RUNNING') {
    return startAt === null ? null : { ...ref, state: 'RUNNING', startAt, endAt: null, outcome: null };
  }
  const outcome = outcomeOf(job, dialect);
  const ranToItsEnd = outcome === 'COMPLETED' || outcome === 'FAILED';
  const exitCode = ranToItsEnd && job.exitStatus !== null ? shellStatus(job.exitStatus) : null;
  return { ...ref, state: 'ENDED', startAt, endAt: endOf(job), outcome, exitCode };
}

export function endOf({ endAt, startAt, submitAt }: PbsJob): number {
  return endAt ?? startAt ?? submitAt;
}

/** A status as a shell gives it: PBS adds 256 to a signal, a shell 128. */
function shellStatus(exitStatus: number): number {
  return exitStatus >= 256 ? 128 + (exitStatus - 256) : exitStatus;
}
