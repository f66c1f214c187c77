import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { JobUse } from '../../src/domain/job-use.ts';
import type { NodeShape } from '../../src/domain/node-shape.ts';
import type { Attributes, Objects } from './attributes.ts';
import { equipmentOf } from './equipment.ts';
import { toldByDescription } from './told.ts';

/** A job as `qstat -f` or an accounting record tells of it. */
export interface PbsJob {
  /** With the server's name: `123.server`, of an array's job `123[4].server`. */
  readonly nativeId: string;
  readonly name: string | null;
  readonly user: string | null;
  readonly queue: string | null;
  readonly phase: 'WAITING' | 'RUNNING' | 'ENDED';
  /** Whether it runs and is stopped, by an administrator or for others. */
  readonly isSuspended: boolean;
  readonly processors: number;
  readonly requestedWalltimeSeconds: number | null;
  readonly submitAt: EpochSeconds;
  readonly startAt: EpochSeconds | null;
  readonly endAt: EpochSeconds | null;
  readonly exitStatus: number | null;
  readonly usedWalltimeSeconds: number | null;
  readonly wasDeleted: boolean;
  /** What the scheduler says of it, which of a job that waits is why. */
  readonly comment: string | null;
  /** When the scheduler means to start it: only of OpenPBS, and of jobs that it sees coming. */
  readonly estimatedStartAt: EpochSeconds | null;
  readonly account: string | null;
  readonly group: string | null;
  /** From where it was submitted; null where that is not shown, as to others than its owner. */
  readonly workFolder: string | null;
  readonly use: JobUse;
}

/** Letters of `job_state`: pbs_job_attributes(7B), for `C` Torque's qstat(1B). */
const PHASES: Readonly<Record<string, PbsJob['phase']>> = {
  ...{ Q: 'WAITING', H: 'WAITING', W: 'WAITING', T: 'WAITING', M: 'WAITING' },
  ...{ R: 'RUNNING', S: 'RUNNING', U: 'RUNNING', E: 'RUNNING', B: 'RUNNING' },
  ...{ F: 'ENDED', X: 'ENDED', C: 'ENDED' },
};
const SUSPENDED: ReadonlySet<string> = new Set(['S', 'U']);
/** A finished job that was deleted before its end. */
const TERMINATED_SUBSTATE = '91';

/** Understands jobs whose times are in UTC. A state of which nothing is known says nothing: such a job is left out. */
export function jobsOf(objects: Objects): PbsJob[] {
  return [...objects].map(([nativeId, attributes]) => jobOf(nativeId, attributes)).filter((job) => job !== null);
}

function jobOf(nativeId: string, job: Attributes): PbsJob | null {
  const phase = PHASES[job.get('job_state') ?? ''];
  const submitAt = momentOf(job.get('ctime')) ?? momentOf(job.get('qtime'));
  if (phase === undefined || submitAt === null) return null;
  const startAt = momentOf(job.get('stime')) ?? momentOf(job.get('start_time'));
  const endAt = momentOf(job.get('obittime')) ?? momentOf(job.get('comp_time')) ?? momentOf(job.get('mtime'));
  return {
    nativeId,
    name: job.get('Job_Name') ?? null,
    user: job.get('Job_Owner')?.split('@')[0] ?? null,
    queue: job.get('queue') ?? null,
    phase,
    isSuspended: SUSPENDED.has(job.get('job_state') ?? ''),
    processors: processorsOf(job),
    requestedWalltimeSeconds: parseDuration(job.get('Resource_List.walltime')),
    submitAt,
    startAt,
    endAt: phase === 'ENDED' ? endAt : null,
    exitStatus: integerOf(job.get('Exit_status') ?? job.get('exit_status')),
    usedWalltimeSeconds: parseDuration(job.get('resources_used.walltime')),
    wasDeleted: job.get('substate') === TERMINATED_SUBSTATE,
    comment: job.get('comment')?.trim() || null,
    estimatedStartAt: momentOf(job.get('estimated.start_time')),
    ...toldByDescription(job),
  };
}

/** Processors a job has or asks for: `ncpus`, Torque's `procs` and `nodes=2:ppn=4+1`, else what it runs on. */
export function processorsOf(job: Attributes): number {
  const asked = integerOf(job.get('Resource_List.ncpus')) ?? integerOf(job.get('Resource_List.procs'));
  const nodes = job.get('Resource_List.nodes');
  if (nodes !== undefined) return Math.max(1, asked ?? 0, countNodes(nodes));
  return Math.max(1, asked ?? countSlots(job.get('exec_host') ?? ''));
}

function countNodes(request: string): number {
  return request.split('+').reduce((total, part) => {
    const [count = '1'] = part.split(':');
    const perNode = /:ppn=(\d+)/.exec(part)?.[1] ?? '1';
    return total + (/^\d+$/.test(count) ? Number(count) : 1) * Number(perNode);
  }, 0);
}

/** Of `a/0*2+b/0` three, of Torque's `a/0-3+b/0,2` six. */
function countSlots(hosts: string): number {
  return hosts.split('+').reduce((total, host) => {
    const [, places = '', times = '1'] = /\/([\d,-]*)(?:\*(\d+))?$/.exec(host) ?? [];
    return total + countPlaces(places) * Number(times);
  }, 0);
}

/** How many numbers a list such as `0-3,5` has. */
function countPlaces(list: string): number {
  return list.split(',').reduce((total, range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return total + last - first + 1;
  }, 0);
}

/** Seconds of `HH:MM:SS`, of any of its tails, or of a number alone; null for anything else. */
export function parseDuration(text: string | undefined): number | null {
  if (text === undefined || !/^\d+(:\d+){0,3}$/.test(text)) return null;
  const [seconds = 0, minutes = 0, hours = 0, days = 0] = text.split(':').map(Number).toReversed();
  return seconds + 60 * minutes + 3600 * hours + 86_400 * days;
}

/** A moment such as `Tue Oct  4 21:23:20 2022` in UTC, or epoch seconds. */
export function momentOf(text: string | undefined): EpochSeconds | null {
  if (text === undefined || text === '') return null;
  if (/^\d+$/.test(text)) return Number(text) || null;
  const milliseconds = Date.parse(`${text} UTC`);
  return Number.isNaN(milliseconds) ? null : milliseconds / 1000;
}

export function integerOf(text: string | undefined): number | null {
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : null;
}

/** A machine of the site. */
export interface PbsNode {
  readonly processors: number;
  readonly usedProcessors: number;
  /** Those that jobs run on or may be started on: of one that takes no more jobs those of the jobs that it has. */
  readonly inService: number;
  readonly freeProcessors: number;
  /** Whether jobs may be started on it. */
  readonly takesJobs: boolean;
  /** What it has beside them. */
  readonly equipment: Omit<NodeShape, 'count' | 'inService' | 'processors'>;
}

/** Understands nodes, of OpenPBS (`resources_available.ncpus`) or Torque (`np`, `jobs`). */
export function nodesOf(objects: Objects): PbsNode[] {
  return [...objects.values()].map((node) => {
    const processors = integerOf(node.get('resources_available.ncpus')) ?? integerOf(node.get('np')) ?? 0;
    const placesOfJobs = (node.get('jobs') ?? '').matchAll(/(\d[\d,-]*)\/[^,\s]+/g);
    const usedByJobs = Array.from(placesOfJobs, ([, places = '']) => countPlaces(places)).reduce((a, b) => a + b, 0);
    const usedProcessors = integerOf(node.get('resources_assigned.ncpus')) ?? Math.min(processors, usedByJobs);
    const state = node.get('state') ?? 'down';
    const isAway = AWAY.test(state);
    const takesJobs = !isAway && !TAKES_NO_MORE.test(state);
    return {
      processors,
      usedProcessors,
      inService: takesJobs ? processors : isAway ? 0 : usedProcessors,
      freeProcessors: takesJobs ? Math.max(0, processors - usedProcessors) : 0,
      takesJobs,
      equipment: equipmentOf(node),
    };
  });
}

const AWAY = /down|unknown|stale|unresolvable|sleep|initializing/;
const TAKES_NO_MORE = /offline|maintenance/;
