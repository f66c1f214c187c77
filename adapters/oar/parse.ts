import { z } from 'zod';
import type { EpochSeconds } from '../../src/domain/clock.ts';

const seconds = z.coerce.number();

/** One job as `oarstat -J` shows it; with `-f` the optional fields too. */
const jobSchema = z.object({
  Job_Id: z.coerce.string(),
  name: z.string().nullable(),
  owner: z.string(),
  queue: z.string(),
  state: z.string(),
  message: z.string().nullable(),
  submissionTime: seconds,
  startTime: seconds,
  assigned_resources: z.array(z.unknown()).default([]),
  stopTime: seconds.optional(),
  exit_code: z.coerce.number().nullable().optional(),
  walltime: z.coerce.number().nullable().optional(),
  events: z.array(z.object({ type: z.string(), date: seconds })).optional(),
});

const resourceSchema = z.object({
  type: z.string(),
  state: z.string(),
  network_address: z.string().nullable().optional(),
  jobs: z.string().optional(),
});

/** A job of OAR's only table, whether it waits, runs or has ended. */
export interface OarJob {
  readonly nativeId: string;
  readonly name: string | null;
  readonly user: string;
  readonly queue: string;
  /** As OAR calls it: Waiting, Hold, toLaunch, Launching, Running, Suspended, Terminated, Error, ... */
  readonly state: string;
  readonly processors: number;
  readonly requestedWalltimeSeconds: number | null;
  readonly submitAt: EpochSeconds;
  readonly startAt: EpochSeconds | null;
  /** Null while it has not ended, and for one that ended without having started. */
  readonly stopAt: EpochSeconds | null;
  /** Status of the script as wait(2) gives it; null when there is none. */
  readonly waitStatus: number | null;
  readonly events: readonly OarEvent[];
}

/** Something that happened to a job. */
export interface OarEvent {
  readonly type: string;
  readonly at: EpochSeconds;
}

/** The smallest thing OAR gives to jobs. */
export interface OarResource {
  readonly isInService: boolean;
  readonly isFree: boolean;
}

/**
 * Reads `oarstat -J`, with `-f` or without. No output at all is an answer too: no such job.
 * @throws Error when it is no such document
 */
export function parseJobs(text: string): OarJob[] {
  return Object.values(z.record(z.string(), jobSchema).parse(documentOf(text)))
    .map(jobOf)
    .sort((a, b) => Number(a.nativeId) - Number(b.nativeId));
}

function jobOf(job: z.output<typeof jobSchema>): OarJob {
  const asked = readMessage(job.message ?? '');
  return {
    nativeId: job.Job_Id,
    name: job.name,
    user: job.owner,
    queue: job.queue,
    state: job.state,
    processors: job.assigned_resources.length || asked.resources,
    requestedWalltimeSeconds: job.walltime ?? asked.walltimeSeconds,
    submitAt: job.submissionTime,
    startAt: job.startTime || null,
    stopAt: job.stopTime || null,
    waitStatus: job.exit_code ?? null,
    events: (job.events ?? []).map(({ type, date }) => ({ type, at: date })),
  };
}

/** Reads what OAR's message says of a request: `R=4,W=0:2:0,J=B,N=name (Karma=0.000,quota_ok)`. */
function readMessage(message: string): { resources: number; walltimeSeconds: number | null } {
  const [, resources, hours, minutes, seconds] = /^R=(\d+),W=(\d+):(\d+):(\d+)/.exec(message) ?? [];
  if (resources === undefined) return { resources: 1, walltimeSeconds: null };
  return {
    resources: Math.max(1, Number(resources)),
    walltimeSeconds: Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds),
  };
}

/** Reads `oarnodes -J`. @throws Error when it is no such document */
export function parseResources(text: string): OarResource[] {
  const resources = Object.values(z.record(z.string(), resourceSchema).parse(documentOf(text)));
  return resources
    .filter(({ type }) => type === 'default')
    .map(({ state, jobs }) => ({ isInService: state === 'Alive', isFree: state === 'Alive' && !jobs }));
}

function documentOf(text: string): unknown {
  return text.trim() === '' ? {} : JSON.parse(text);
}

/** Seconds as OAR reads a walltime: `hours:minutes:seconds`. */
export function formatWalltime(walltimeSeconds: number): string {
  const whole = Math.max(1, Math.ceil(walltimeSeconds));
  return [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60].join(':');
}
