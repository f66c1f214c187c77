import type { EpochSeconds } from '../../../domain/clock.ts';
import { type JobRequest } from '../../../domain/job.ts';
import type { Snapshot } from '../../../domain/snapshot.ts';
import { calendarFeatures } from '../../online/calendar-features.ts';
import { machineFeatures } from './machine-features.ts';
import { planFeatures } from './plan-features.ts';
import { queueFeatures } from './queue-features.ts';
import { SiteMemory, type WaitTrail } from './site-memory.ts';

/**
 * All that is known of a job at its submission, as numbers; not-a-number stands for unknown. Ages, waits and times ago
 * are in seconds, work is in processor-seconds as requested.
 * @param state as the job finds it; null where nobody watched
 */
export function submissionFeatures(
  job: JobRequest,
  at: EpochSeconds,
  state: Snapshot | null,
  memory: SiteMemory,
): Float32Array {
  const values = new Float32Array(FEATURE_NAMES.length);
  let next = 0;
  for (const group of featureGroups(job, at, state ?? EMPTY_STATE, memory)) {
    const isKnown = state !== null || !group.needsState;
    for (const name in group.values) values[next++] = isKnown ? (group.values[name] as number) : Number.NaN;
  }
  return values;
}

interface FeatureGroup {
  readonly needsState: boolean;
  readonly values: Readonly<Record<string, number>>;
}

function featureGroups(job: JobRequest, at: EpochSeconds, state: Snapshot, memory: SiteMemory): FeatureGroup[] {
  return [
    { needsState: false, values: requestFeatures(job, at, memory) },
    { needsState: true, values: queueFeatures(job, at, state.waiting) },
    { needsState: true, values: machineFeatures(job, at, state) },
    { needsState: true, values: planFeatures(job, at, state, memory) },
    { needsState: false, values: trailFeatures(job, at, memory) },
  ];
}

function requestFeatures(job: JobRequest, at: EpochSeconds, memory: SiteMemory): Record<string, number> {
  const walltimeSeconds = job.requestedWalltimeSeconds ?? 0;
  return {
    processors: job.processors,
    walltimeSeconds,
    work: job.processors * walltimeSeconds,
    expectedRunSeconds: memory.expectedRunSeconds(job),
    ...calendarFeatures(at),
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

const EMPTY_STATE: Snapshot = { observedAt: 0, processors: 0, freeProcessors: 0, waiting: [], running: [] };
const NOBODY: JobRequest = { user: null, queue: null, processors: 1, requestedWalltimeSeconds: null };

/** Names of the features, in their order. */
export const FEATURE_NAMES: readonly string[] = featureGroups(NOBODY, 0, EMPTY_STATE, new SiteMemory()).flatMap(
  ({ values }) => Object.keys(values),
);
