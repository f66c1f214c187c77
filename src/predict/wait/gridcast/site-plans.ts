import type { EpochSeconds } from '../../../domain/clock.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../../../domain/snapshot.ts';
import { planLoads, type SiteLoad, type TotalSeconds } from '../site-load.ts';
import type { SiteMemory } from './site-memory.ts';

/** A site's queue planned forward, as it is for every job that is asked about at one moment. */
export interface SitePlan {
  /** With every job running as long as it asked for. */
  readonly byRequest: Loads;
  /** With every job running as long as its like ran. */
  readonly byExpectation: Loads;
  /** Processor-seconds that the running jobs have left. */
  readonly workLeftByRequest: number;
  readonly workLeftByExpectation: number;
  /** Processor-seconds of the waiting jobs. */
  readonly expectedWorkWaiting: number;
}

/** What is left over behind the queue, and as if there were none. */
interface Loads {
  readonly machine: SiteLoad;
  readonly queue: SiteLoad;
}

/** O(w (w + r)) for w waiting and r running jobs. @param memory of how long jobs run */
export function planSite(state: Snapshot, at: EpochSeconds, memory: SiteMemory): SitePlan {
  return expectAt(state, at, memory, planRequests(state, memory));
}

/**
 * The plans of a site's states, each made once for all jobs that are asked about: what rests on requests for as long as
 * nothing is learned of runtimes, what is expected of running jobs for one moment.
 */
export class SitePlans {
  private readonly kept = new WeakMap<Snapshot, KeptPlan>();

  constructor(private readonly memory: SiteMemory) {}

  of(state: Snapshot, at: EpochSeconds): SitePlan {
    const { revision } = this.memory;
    const known = this.kept.get(state);
    const isFresh = known?.revision === revision;
    if (isFresh && known.at === at) return known.plan;
    const requests = isFresh ? known.plan : planRequests(state, this.memory);
    const plan = expectAt(state, at, this.memory, requests);
    this.kept.set(state, { revision, at, plan });
    return plan;
  }
}

interface KeptPlan {
  readonly revision: number;
  readonly at: EpochSeconds;
  readonly plan: SitePlan;
}

type Requests = Pick<SitePlan, 'byRequest' | 'expectedWorkWaiting'>;

function planRequests(state: Snapshot, memory: SiteMemory): Requests {
  return {
    byRequest: planLoads(state, requestedBy(memory)),
    expectedWorkWaiting: state.waiting.reduce((sum, one) => sum + one.processors * memory.expectedRunSeconds(one), 0),
  };
}

function expectAt(
  state: Snapshot,
  at: EpochSeconds,
  memory: SiteMemory,
  { byRequest, expectedWorkWaiting }: Requests,
): SitePlan {
  const totals = new Map(state.running.map((job) => [job, memory.expectedTotalSeconds(job, at)]));
  const expected: TotalSeconds = (job) => totals.get(job as RunningJob) ?? memory.expectedRunSeconds(job);
  const workLeft = (totalSeconds: TotalSeconds) =>
    state.running.reduce((sum, one) => sum + one.processors * Math.max(0, one.startAt + totalSeconds(one) - at), 0);
  return {
    byRequest,
    byExpectation: planLoads(state, expected),
    workLeftByRequest: workLeft(requestedBy(memory)),
    workLeftByExpectation: workLeft(expected),
    expectedWorkWaiting,
  };
}

function requestedBy(memory: SiteMemory): TotalSeconds {
  return (job: WaitingJob | RunningJob) => job.requestedWalltimeSeconds ?? memory.expectedRunSeconds(job);
}
