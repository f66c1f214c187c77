import type { EpochSeconds } from '../../domain/clock.ts';
import { plannedWalltimeSeconds } from '../../domain/job.ts';
import type { Snapshot, WaitingJob } from '../../domain/snapshot.ts';

/** What a job asks of the machine. */
export interface JobShape {
  readonly processors: number;
  readonly walltimeSeconds: number;
}

interface Release {
  readonly at: EpochSeconds;
  readonly processors: number;
}

/** The first job that does not fit: when it will at the latest, and what it leaves to others even then. */
interface Head {
  readonly shadowAt: EpochSeconds;
  extraProcessors: number;
}

/**
 * Tells of one snapshot whether a job more would start at it, had it been submitted at some moment before and nobody
 * after it. Jobs that were submitted later give their processors back; those before it are passed over as EASY
 * backfilling does: in their order while they fit, behind the first that does not only what delays it not. Source:
 * Mu'alem and Feitelson, IEEE TPDS 12(6), 2001, section 2. At a site that lets nobody past, nothing starts behind it.
 */
export class BackfillPass {
  private readonly running: readonly (Release & { readonly submitAt: EpochSeconds })[];

  /** @param letsPast whether the site lets jobs past one that does not fit; it does unless told */
  constructor(
    private readonly state: Snapshot,
    private readonly letsPast = true,
  ) {
    this.running = state.running
      .map((job) => ({ ...job, at: Math.max(state.observedAt + 1, job.startAt + plannedWalltimeSeconds(job)) }))
      .sort((a, b) => a.at - b.at);
  }

  /** O(running + waiting jobs). */
  wouldStart({ processors, walltimeSeconds }: JobShape, submitAt: EpochSeconds): boolean {
    const { free, head } = this.startBefore(submitAt, processors);
    if (free < processors) return false;
    return head === null || (this.letsPast && fitsBehind(head, processors, this.state.observedAt + walltimeSeconds));
  }

  /** Waiting jobs that backfilling would start now past the first that does not fit. O(running + waiting jobs). */
  passing(): WaitingJob[] {
    const passing: WaitingJob[] = [];
    this.startBefore(Number.POSITIVE_INFINITY, 1, (job) => passing.push(job));
    return passing;
  }

  /**
   * Starts in turn the waiting jobs that were submitted up to a moment. Stops when fewer processors are free than
   * `fewestLeft`, and, where the site lets nobody past, at the first job that does not fit.
   * @param onPassing told of each that starts past one that does not fit
   */
  private startBefore(
    submitAt: EpochSeconds,
    fewestLeft: number,
    onPassing: (job: WaitingJob) => void = () => undefined,
  ): { readonly free: number; readonly head: Head | null } {
    let free = this.freeWithoutLater(submitAt);
    let head: Head | null = null;
    const started: Release[] = [];
    for (const job of this.state.waiting) {
      if (free < fewestLeft || (head && !this.letsPast)) break;
      if (job.submitAt > submitAt) continue;
      const endAt = this.state.observedAt + plannedWalltimeSeconds(job);
      if (job.processors > free) {
        head ??= this.headOf(job, free, started, submitAt);
        continue;
      }
      if (head && !fitsBehind(head, job.processors, endAt)) continue;
      if (head && endAt > head.shadowAt) head.extraProcessors -= job.processors;
      if (head) onPassing(job);
      else started.push({ at: endAt, processors: job.processors });
      free -= job.processors;
    }
    return { free, head };
  }

  private freeWithoutLater(submitAt: EpochSeconds): number {
    let free = this.state.freeProcessors;
    for (const job of this.running) if (job.submitAt > submitAt) free += job.processors;
    return free;
  }

  private headOf(job: WaitingJob, free: number, started: readonly Release[], submitAt: EpochSeconds): Head {
    const before = this.running.filter((one) => one.submitAt <= submitAt);
    const releases = started.length > 0 ? [...before, ...started].sort((a, b) => a.at - b.at) : before;
    let available = free;
    let shadowAt = Number.POSITIVE_INFINITY;
    for (const { at, processors } of releases) {
      if (at > shadowAt) break;
      available += processors;
      if (available >= job.processors) shadowAt = at;
    }
    return { shadowAt, extraProcessors: Math.max(0, available - job.processors) };
  }
}

function fitsBehind({ shadowAt, extraProcessors }: Head, processors: number, endAt: EpochSeconds): boolean {
  return endAt <= shadowAt || processors <= extraProcessors;
}
