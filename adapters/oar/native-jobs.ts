import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { JobOutcome, JobRecord } from '../../src/domain/job.ts';
import type { MaintenanceWindow } from '../../src/domain/site.ts';
import type { NativeJob } from '../../src/domain/site-adapter.ts';
import type { RunningJob, WaitingJob } from '../../src/domain/snapshot.ts';
import { keyOfJobName } from '../shared/job-name.ts';
import { told } from '../shared/told.ts';
import type { OarJob } from './parse.ts';

/** What a job does, whatever OAR calls it. */
export type Phase = 'WAITING' | 'RUNNING' | 'ENDED';

const ENDED = new Set(['Terminated', 'Error']);
const HOLDING_RESOURCES = new Set(['Launching', 'Running', 'Suspended', 'Resuming', 'Finishing']);

/**
 * A job that is being launched or ended holds its resources; one that is about to be (`toLaunch`, `toError`) counts as
 * what it was.
 */
export function phaseOf({ state, startAt }: OarJob): Phase {
  if (ENDED.has(state)) return 'ENDED';
  if (HOLDING_RESOURCES.has(state)) return 'RUNNING';
  return state === 'toError' && startAt !== null ? 'RUNNING' : 'WAITING';
}

/** A job of the listing as snapshots show it. */
export function asWaiting(job: OarJob): WaitingJob {
  const { nativeId, name, user, queue, processors, requestedWalltimeSeconds, submitAt } = job;
  const planned = { user, queue, processors, requestedWalltimeSeconds, submitAt };
  return { nativeId, key: keyOfJobName(name), ...planned, ...told({ ...job, account: job.project }) };
}

/** A waiting job with why it waits and when OAR means to start it, as its full description has it. */
export function withPlan(job: OarJob, described: ReadonlyMap<string, OarJob>): WaitingJob {
  const { state, schedulerSays, scheduledAt } = described.get(job.nativeId) ?? job;
  const isHeld = state === 'Hold';
  return { ...asWaiting(job), reason: isHeld ? state : schedulerSays, estimatedStartAt: isHeld ? null : scheduledAt };
}

/** A job of the listing that runs, where OAR says since when; one that is suspended with that word. */
export function asRunning(job: OarJob): RunningJob[] {
  const { startAt, state } = job;
  if (phaseOf(job) !== 'RUNNING' || startAt === null) return [];
  return [{ ...asWaiting(job), startAt, ...(state === 'Suspended' && { reason: state }) }];
}

/** The time for which a reservation sets processors aside, where OAR says from when on. */
export function asWindow(job: OarJob, processorsOfSite: number): MaintenanceWindow[] {
  const { nativeId, name, user, startAt, requestedWalltimeSeconds, processors } = job;
  if (startAt === null || requestedWalltimeSeconds === null) return [];
  return [
    {
      startAt,
      endAt: startAt + requestedWalltimeSeconds,
      processors: processors < processorsOfSite ? processors : null,
      reason: `reservation ${name ?? nativeId} of ${user}`,
    },
  ];
}

/**
 * A job as it stands; null for one that holds resources and of which OAR does not say since when, about which nothing
 * is claimed.
 */
export function nativeJobOf(job: OarJob): NativeJob | null {
  const { nativeId, submitAt, startAt } = job;
  const ref = { nativeId, submittedAt: submitAt, endAt: null, outcome: null };
  const phase = phaseOf(job);
  if (phase === 'WAITING') return { ...ref, state: 'WAITING', startAt: null };
  if (phase === 'RUNNING') return startAt === null ? null : { ...ref, state: 'RUNNING', startAt };
  const outcome = outcomeOf(job);
  const ranToItsEnd = outcome === 'COMPLETED' || outcome === 'FAILED';
  const exitCode = ranToItsEnd && job.waitStatus !== null ? shellStatus(job.waitStatus) : null;
  const isUntold = outcome === 'FAILED' && job.state === 'Terminated' && job.waitStatus === null;
  const note = isUntold && { note: UNTOLD_STATUS };
  return { ...ref, state: 'ENDED', startAt, endAt: endOf(job), outcome, exitCode, ...note };
}

/** The job as a record of history. */
export function recordOf(job: OarJob): JobRecord {
  const { key: _, ...known } = asWaiting(job);
  const hasEnded = phaseOf(job) === 'ENDED';
  return {
    ...known,
    startAt: job.startAt,
    endAt: hasEnded ? endOf(job) : null,
    outcome: hasEnded ? outcomeOf(job) : null,
  };
}

/** What is said of a job with a script whose status OAR does not know. */
export const UNTOLD_STATUS =
  'OAR knows no exit status: the script was killed together with the process that reports it, as by kill 0';

/** When it ended. Of a job that never started OAR has only the events. */
export function endOf({ stopAt, startAt, submitAt, events }: OarJob): EpochSeconds {
  return stopAt ?? Math.max(startAt ?? submitAt, ...events.map(({ at }) => at));
}

/**
 * Events that say why a job was killed, the first that applies. A kill at the walltime or for another job is a deletion
 * too.
 */
const CAUSES: readonly (readonly [RegExp, JobOutcome])[] = [
  [/^WALLTIME$/, 'TIMEOUT'],
  [/^BESTEFFORT_KILL$/, 'PREEMPTED'],
  [/^FRAG_JOB_REQUEST$/, 'CANCELLED'],
  [/NODE|SUSPECT|CPUSET|PROLOGUE|EPILOGUE|BIPBIP|OAREXEC|PING_CHECKER|FINISHING/, 'NODE_FAIL'],
];

/**
 * How a job ended. `Error` is OAR's word for every end that was not the script's own: the events tell which. A script
 * without a status was killed together with the process that watches it.
 */
export function outcomeOf({ state, hasScript, waitStatus, events }: OarJob): JobOutcome {
  const status = waitStatus ?? (hasScript ? null : 0);
  const hasExited = state === 'Terminated' && status !== null && signalOf(status) === 0;
  if (hasExited) return status === 0 ? 'COMPLETED' : 'FAILED';
  const cause = CAUSES.find(([type]) => events.some((event) => type.test(event.type)));
  return cause?.[1] ?? 'FAILED';
}

/** A wait(2) status as a shell gives it: the exit status, or 128 and the signal. OAR shows `exit 3` as 768. */
function shellStatus(waitStatus: number): number {
  const signal = signalOf(waitStatus);
  return signal > 0 ? 128 + signal : (waitStatus >> 8) & 0xff;
}

function signalOf(waitStatus: number): number {
  return waitStatus & 0x7f;
}
