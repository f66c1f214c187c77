import type { EpochSeconds } from '../../domain/clock.ts';
import type { SubmittedJob } from '../../domain/job.ts';
import { keepClass } from '../../domain/kept-classes.ts';

/** The jobs of the last hours that have been told of, so that each counts once, from a snapshot or from a record. */
export class JobsSeen {
  private readonly submittedAt = new Map<string, EpochSeconds>();
  private from = Number.NEGATIVE_INFINITY;

  /** Whether the job has not been told of; it has from now on. One from before what is kept is not new. */
  isNew({ nativeId, submitAt }: Pick<SubmittedJob, 'nativeId' | 'submitAt'>): boolean {
    const name = `${nativeId}@${submitAt}`;
    if (!this.isRecent(submitAt) || this.submittedAt.has(name)) return false;
    this.submittedAt.set(name, submitAt);
    return true;
  }

  isRecent(submitAt: EpochSeconds): boolean {
    return submitAt >= this.from;
  }

  /** Lets go of the jobs that were submitted long before a snapshot. */
  forgetBefore(observedAt: EpochSeconds): void {
    this.from = Math.max(this.from, observedAt - KEPT_SECONDS);
    for (const [name, submitAt] of this.submittedAt) {
      if (submitAt >= this.from) return;
      this.submittedAt.delete(name);
    }
  }
}

/** Longer than accounting lags. */
const KEPT_SECONDS = 7200;

keepClass(JobsSeen);
