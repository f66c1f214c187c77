import type { EpochSeconds } from '../../../domain/clock.ts';
import { type JobRequest } from '../../../domain/job.ts';
import type { Snapshot } from '../../../domain/snapshot.ts';
import { calendarFeatures } from '../../online/calendar-features.ts';
import type { RuntimeSpread } from './job-runtimes.ts';
import { machineFeatures } from './machine-features.ts';
import { planFeatures } from './plan-features.ts';
import { queueFeatures } from './queue-features.ts';
import type { SiteMemory, WaitTrail } from './site-memory.ts';
import type { SiteOutlook } from './site-outlook.ts';

/**
 * All that is known of a job at its submission, as numbers; not-a-number stands for unknown. Ages, waits and times ago
 * are in seconds, work is in processor-seconds as requested.
 * @param state as the job finds it; null where nobody watched
 * @param runtime how long it is going to run, by who is given; null where nobody is, or knows
 */
export function submissionFeatures(
  job: JobRequest,
  at: EpochSeconds,
  state: Snapshot | null,
  memory: SiteMemory,
  runtime: RuntimeSpread | null = null,
): Float32Array {
  return Float32Array.from(namedFeatures({ job, at, memory, runtime }, state), ([, value]) => value);
}

/** The same with their names. */
export function namedFeatures(asked: Asked, state: Snapshot | null): (readonly [name: string, value: number])[] {
  return featureGroups(asked, state ?? EMPTY_STATE).flatMap(({ needsState, values }) => {
    const isKnown = state !== null || !needsState;
    return Object.entries(values).map(([name, value]) => [name, isKnown ? value : Number.NaN] as const);
  });
}

/** A job that is asked about, and what is known of it beside the state. */
interface Asked {
  readonly job: JobRequest;
  readonly at: EpochSeconds;
  readonly memory: SiteMemory;
  readonly runtime: RuntimeSpread | null;
}

interface FeatureGroup {
  readonly needsState: boolean;
  readonly values: Readonly<Record<string, number>>;
}

function featureGroups({ job, at, memory, runtime }: Asked, state: Snapshot): FeatureGroup[] {
  const runSeconds = runtime?.meanSeconds ?? memory.expectedRunSeconds(job);
  return [
    { needsState: false, values: requestFeatures(job, at, runSeconds) },
    { needsState: true, values: queueFeatures(job, at, state.waiting) },
    { needsState: true, values: machineFeatures(job, at, state) },
    { needsState: true, values: planFeatures(job, at, state, memory, runSeconds) },
    { needsState: false, values: trailFeatures(job, at, memory) },
    { needsState: false, values: outlookFeatures(memory.outlook, runtime) },
  ];
}

function requestFeatures(job: JobRequest, at: EpochSeconds, expectedRunSeconds: number): Record<string, number> {
  const walltimeSeconds = job.requestedWalltimeSeconds ?? 0;
  return {
    processors: job.processors,
    walltimeSeconds,
    work: job.processors * walltimeSeconds,
    expectedRunSeconds,
    ...calendarFeatures(at),
  };
}

/** Of what others forecast; none of whom is not given. */
function outlookFeatures({ runtimes, arrivals }: SiteOutlook, runtime: RuntimeSpread | null): Record<string, number> {
  return {
    ...(runtimes && {
      shortRunSeconds: runtime?.at(10) ?? Number.NaN,
      medianRunSeconds: runtime?.at(50) ?? Number.NaN,
      longRunSeconds: runtime?.at(90) ?? Number.NaN,
    }),
    ...(arrivals && {
      arrivalsNextHour: arrivals.within(HOUR_SECONDS),
      arrivalsNextQuarter: arrivals.within(6 * HOUR_SECONDS),
    }),
  };
}

function trailFeatures(job: JobRequest, at: EpochSeconds, memory: SiteMemory): Record<string, number> {
  return {
    ...trailValues('site', memory.ofSite(), at),
    ...trailValues('queue', memory.ofQueue(job), at),
    ...trailValues('user', memory.ofUser(job), at),
    ...trailValues('shape', memory.ofShape(job), at),
    ...trailValues('twins', memory.ofTwins(job), at),
  };
}

function trailValues(group: string, trail: WaitTrail, at: EpochSeconds): Record<string, number> {
  return {
    [`${group}LastWait`]: trail.lastSeconds,
    [`${group}LastStartAgo`]: at - trail.lastStartAt,
    [`${group}MeanWait`]: trail.meanSeconds,
    [`${group}MeanLogWait`]: trail.meanLog,
    [`${group}KnownWaits`]: trail.count,
  };
}

const HOUR_SECONDS = 3600;
const EMPTY_STATE: Snapshot = { observedAt: 0, processors: 0, freeProcessors: 0, waiting: [], running: [] };
