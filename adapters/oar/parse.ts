import { z } from 'zod';
import type { EpochSeconds } from '../../src/domain/clock.ts';

const seconds = z.coerce.number();

/** One job as `oarstat -J` shows it; with `-f` the optional fields too. */
const jobSchema = z.object({
  Job_Id: z.coerce.string(),
  name: z.string().nullable(),
  owner: z.string(),
  queue: z.string(),
  project: z.string().nullable().optional(),
  launchingDirectory: z.string().nullable().optional(),
  state: z.string(),
  message: z.string().nullable(),
  wanted_resources: z.string().nullable().optional(),
  submissionTime: seconds,
  startTime: seconds,
  assigned_resources: z.array(z.unknown()).default([]),
  reservation: z.string().default('None'),
  reserved_resources: z.record(z.string(), z.unknown()).default({}),
  stopTime: seconds.optional(),
  scheduledStart: z.coerce.number().nullable().optional(),
  exit_code: z.coerce.number().nullable().optional(),
  jobType: z.string().optional(),
  types: z.array(z.string()).default([]),
  walltime: z.coerce.number().nullable().optional(),
  events: z.array(z.object({ type: z.string(), date: seconds })).optional(),
});

const resourceSchema = z.object({
  type: z.string(),
  state: z.string(),
  network_address: z.string().nullable().optional(),
  jobs: z.string().optional(),
  drain: z.string().optional(),
  available_upto: seconds.optional(),
});

/** A job of OAR's only table, whether it waits, runs or has ended. */
export interface OarJob {
  readonly nativeId: string;
  readonly name: string | null;
  readonly user: string;
  /** Null for OAR's own, which stands for none. */
  readonly project: string | null;
  readonly workFolder: string | null;
  readonly queue: string;
  /** As OAR calls it: Waiting, Hold, toLaunch, Launching, Running, Suspended, Terminated, Error, ... */
  readonly state: string;
  /** Whether it has resources set aside from a moment on, which is its `startAt` from when OAR agreed to it. */
  readonly isReservation: boolean;
  readonly processors: number;
  readonly requestedWalltimeSeconds: number | null;
  readonly submitAt: EpochSeconds;
  readonly startAt: EpochSeconds | null;
  /** Null while it has not ended, and for one that ended without having started. */
  readonly stopAt: EpochSeconds | null;
  /** Whether it has a script that OAR runs: interactive jobs and `noop` ones, which only hold resources, have none. */
  readonly hasScript: boolean;
  /** Status of the script as wait(2) gives it; null when there is none. */
  readonly waitStatus: number | null;
  /** What the scheduler adds to its request; null where it has not said anything (yet). */
  readonly schedulerSays: string | null;
  /** When the scheduler means to start it, as far as the listing tells. */
  readonly scheduledAt: EpochSeconds | null;
  readonly events: readonly OarEvent[];
}

/** A job of the short listing: what it is called and the letter of its state. */
export interface ListedRow {
  readonly nativeId: string;
  readonly letter: string;
}

/** Something that happened to a job. */
export interface OarEvent {
  readonly type: string;
  readonly at: EpochSeconds;
}

/** The smallest thing OAR gives to jobs. */
export interface OarResource {
  /** Whether jobs run on it, or may be started there. */
  readonly isInService: boolean;
  readonly isFree: boolean;
}

/**
 * Reads `oarstat` alone: a heading, a line of dashes, a line for each job.
 * @throws Error when the heading is missing or a line is none
 */
export function parseRows(text: string): ListedRow[] {
  const [heading = '', , ...lines] = text.trimEnd().split('\n');
  if (text.trim() !== '' && !/^Job id +S /.test(heading)) throw new Error('no listing of jobs');
  return lines.map((line) => {
    const [, nativeId, letter] = /^(\d+)\s+(\S)\s/.exec(line) ?? [];
    if (nativeId === undefined || letter === undefined) throw new Error('a line of the listing is no job');
    return { nativeId, letter };
  });
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
  const asked = readRequest(job.wanted_resources ?? '') ?? readMessage(job.message ?? '') ?? NOTHING_KNOWN;
  return {
    nativeId: job.Job_Id,
    name: job.name,
    user: job.owner,
    project: job.project === 'default' ? null : (job.project ?? null),
    workFolder: job.launchingDirectory ?? null,
    queue: job.queue,
    state: job.state,
    isReservation: job.reservation !== 'None',
    processors: job.assigned_resources.length || Object.keys(job.reserved_resources).length || asked.resources,
    requestedWalltimeSeconds: job.walltime ?? asked.walltimeSeconds,
    submitAt: job.submissionTime,
    startAt: job.startTime || null,
    stopAt: job.stopTime || null,
    hasScript: job.jobType !== 'INTERACTIVE' && !job.types.includes('noop'),
    waitStatus: job.exit_code ?? null,
    schedulerSays: readRemark(job.message ?? ''),
    scheduledAt: job.scheduledStart || null,
    events: (job.events ?? []).map(({ type, date }) => ({ type, at: date })),
  };
}

interface Request {
  readonly resources: number;
  readonly walltimeSeconds: number | null;
}

const NOTHING_KNOWN: Request = { resources: 1, walltimeSeconds: null };

/**
 * Reads what OAR's message says of a request, as long as it waits or runs: `R=4,W=0:2:0,J=B,N=name
 * (Karma=0.000,quota_ok)`.
 */
function readMessage(message: string): Request | null {
  const [, resources, walltime] = /^R=(\d+),W=([\d:]+)/.exec(message) ?? [];
  if (resources === undefined) return null;
  return { resources: Math.max(1, Number(resources)), walltimeSeconds: parseWalltime(walltime ?? '') };
}

/**
 * What a message says beside the request: of `R=4,W=0:2:0,J=B,N=name (Karma=0.000,quota_ok)` what is in the
 * parentheses.
 */
function readRemark(message: string): string | null {
  if (!/^R=\d+,W=/.test(message)) return message.trim() || null;
  return /\(([^()]*)\)$/.exec(message)?.[1]?.trim() || null;
}

/**
 * Reads a request: `-l "{type = 'default'}/network_address=2/core=4,walltime=0:2:0"`, of several alternatives the
 * first.
 */
function readRequest(request: string): Request | null {
  const [, resources, walltime] = /^-l "(.*?),walltime=([\d:]+)"/.exec(request) ?? [];
  if (resources === undefined) return null;
  const groups = resources.split('+').map((group) => {
    const counts = [...group.matchAll(/\/\w+=(\d+)/g)].map(([, count]) => Number(count));
    return counts.reduce((product, count) => product * count, 1);
  });
  return {
    resources: groups.reduce((total, group) => total + group, 0),
    walltimeSeconds: parseWalltime(walltime ?? ''),
  };
}

/** Seconds of `hours:minutes:seconds`. */
function parseWalltime(text: string): number {
  return text.split(':').reduce((total, part) => total * 60 + Number(part), 0);
}

/**
 * Reads `oarnodes -J`. What is dead OAR itself does not count to what a job may ask for, so it is left out.
 * @param wokenAt the moment, at a site that wakes sleeping nodes for jobs; null elsewhere
 * @throws Error when it is no such document
 */
export function parseResources(text: string, wokenAt: EpochSeconds | null): OarResource[] {
  return parseEverything(text)
    .filter(({ type, state }) => type === 'default' && state !== 'Dead')
    .map((resource) => {
      const takes = takesJobs(resource, wokenAt);
      return { isInService: takes || (isUp(resource, wokenAt) && !!resource.jobs), isFree: takes && !resource.jobs };
    });
}

/** What of a resource says whether jobs may be started there. */
interface Service {
  readonly state?: unknown;
  readonly drain?: unknown;
  readonly available_upto?: unknown;
}

/** Whether jobs may be started on a resource, idle or not; `wokenAt` as of `parseResources`. */
export function takesJobs(resource: Service, wokenAt: EpochSeconds | null): boolean {
  return isUp(resource, wokenAt) && resource.drain !== 'YES';
}

function isUp(resource: Service, wokenAt: EpochSeconds | null): boolean {
  return resource.state === 'Alive' || isAsleep(resource, wokenAt);
}

/** How many resources `oarnodes -J` shows, of whatever type and state. @throws Error when it is no such document */
export function countResources(text: string): number {
  return parseEverything(text).length;
}

function parseEverything(text: string): z.output<typeof resourceSchema>[] {
  return Object.values(z.record(z.string(), resourceSchema).parse(documentOf(text)));
}

/** Whether its node was put to sleep, until when it is wanted: an administrator's maintenance makes that 0. */
function isAsleep({ state, available_upto }: Service, wokenAt: EpochSeconds | null): boolean {
  return wokenAt !== null && state === 'Absent' && Number(available_upto ?? 0) > wokenAt;
}

function documentOf(text: string): unknown {
  return text.trim() === '' ? {} : JSON.parse(text);
}

/** Seconds as OAR reads a walltime: `hours:minutes:seconds`. */
export function formatWalltime(walltimeSeconds: number): string {
  const whole = Math.max(1, Math.ceil(walltimeSeconds));
  return [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60].join(':');
}
