import type { EpochSeconds } from '../../../domain/clock.ts';
import type { JobRequest } from '../../../domain/job.ts';
import type { Snapshot } from '../../../domain/snapshot.ts';
import { calendarFeatures } from '../../online/calendar-features.ts';
import { type Features, FeatureValues, NamedFeatures, UnknownFeatures } from '../../online/features.ts';
import type { RuntimeSpread } from './job-runtimes.ts';
import { addMachine } from './machine-features.ts';
import { planFeatures } from './plan-features.ts';
import { addQueue } from './queue-features.ts';
import { addResources } from './resource-features.ts';
import type { SiteMemory, WaitTrail } from './site-memory.ts';
import type { SiteOutlook } from './site-outlook.ts';
import { planSite, type SitePlan } from './site-plans.ts';

/**
 * All that is known of a job at its submission, as numbers; not-a-number stands for unknown. Ages, waits and times ago
 * are in seconds, work is in processor-seconds as requested.
 * @param state as the job finds it; null where nobody watched
 * @param runtime how long it is going to run, by who is given; null where nobody is, or knows
 * @param plan of the state, where it is known already
 */
export function submissionFeatures(
  job: JobRequest,
  at: EpochSeconds,
  state: Snapshot | null,
  memory: SiteMemory,
  runtime: RuntimeSpread | null = null,
  plan: SitePlan | null = null,
): Float32Array {
  const features = new FeatureValues();
  addFeatures(features, { job, at, memory, runtime }, state, plan);
  return features.values();
}

/** The same with their names. */
export function namedFeatures(asked: Asked, state: Snapshot | null): (readonly [name: string, value: number])[] {
  const features = new NamedFeatures();
  addFeatures(features, asked, state, null);
  return features.list;
}

/** A job that is asked about, and what is known of it beside the state. */
interface Asked {
  readonly job: JobRequest;
  readonly at: EpochSeconds;
  readonly memory: SiteMemory;
  readonly runtime: RuntimeSpread | null;
}

function addFeatures(
  features: Features,
  { job, at, memory, runtime }: Asked,
  known: Snapshot | null,
  made: SitePlan | null,
): void {
  const runSeconds = runtime?.meanSeconds ?? memory.expectedRunSeconds(job);
  const state = known ?? EMPTY_STATE;
  const ofState = known ? features : new UnknownFeatures(features);
  addRequest(features, job, at, runSeconds);
  addQueue(ofState, job, at, state.waiting);
  addMachine(ofState, job, at, state);
  const plan = made ?? planSite(state, at, memory);
  for (const [name, value] of Object.entries(planFeatures(job, plan, runSeconds))) ofState.add(value, name);
  addTrails(features, job, at, memory);
  addOutlook(features, memory.outlook, runtime);
  addResources(features, { job, at, memory, runSeconds }, state);
}

function addRequest(features: Features, job: JobRequest, at: EpochSeconds, expectedRunSeconds: number): void {
  const walltimeSeconds = job.requestedWalltimeSeconds ?? 0;
  const { timeOfDaySeconds, dayOfWeek } = calendarFeatures(at);
  features.add(job.processors, 'processors');
  features.add(walltimeSeconds, 'walltimeSeconds');
  features.add(job.processors * walltimeSeconds, 'work');
  features.add(expectedRunSeconds, 'expectedRunSeconds');
  features.add(timeOfDaySeconds, 'timeOfDaySeconds');
  features.add(dayOfWeek, 'dayOfWeek');
}

/** Of what others forecast; none of whom is not given. */
function addOutlook(features: Features, { runtimes, arrivals }: SiteOutlook, runtime: RuntimeSpread | null): void {
  if (runtimes) {
    features.add(runtime?.at(10) ?? Number.NaN, 'shortRunSeconds');
    features.add(runtime?.at(50) ?? Number.NaN, 'medianRunSeconds');
    features.add(runtime?.at(90) ?? Number.NaN, 'longRunSeconds');
  }
  if (arrivals) {
    features.add(arrivals.within(HOUR_SECONDS), 'arrivalsNextHour');
    features.add(arrivals.within(6 * HOUR_SECONDS), 'arrivalsNextQuarter');
  }
}

function addTrails(features: Features, job: JobRequest, at: EpochSeconds, memory: SiteMemory): void {
  addTrail(features, 'site', memory.ofSite(), at);
  addTrail(features, 'queue', memory.ofQueue(job), at);
  addTrail(features, 'user', memory.ofUser(job), at);
  addTrail(features, 'shape', memory.ofShape(job), at);
  addTrail(features, 'twins', memory.ofTwins(job), at);
}

function addTrail(features: Features, group: string, trail: WaitTrail, at: EpochSeconds): void {
  features.add(trail.lastSeconds, 'LastWait', group);
  features.add(at - trail.lastStartAt, 'LastStartAgo', group);
  features.add(trail.meanSeconds, 'MeanWait', group);
  features.add(trail.meanLog, 'MeanLogWait', group);
  features.add(trail.count, 'KnownWaits', group);
}

const HOUR_SECONDS = 3600;
const EMPTY_STATE: Snapshot = { observedAt: 0, processors: 0, freeProcessors: 0, waiting: [], running: [] };
