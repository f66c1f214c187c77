import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { NativeJob, NativeRef } from '../../src/domain/site-adapter.ts';
import { isMeant } from '../shared/same-job.ts';
import type { JobDetail } from './parse.ts';

const KEPT = 10_000;

/**
 * Jobs that were cancelled before they began. Grid Engine writes no accounting for them, so what `qdel` answered is the
 * only word there ever is of their end. The latest are remembered, for as long as the adapter lives.
 */
export class WithdrawnJobs {
  private readonly byNumber = new Map<string, { readonly name: string; readonly job: NativeJob }>();

  add({ nativeId }: NativeRef, { name, submitAt }: JobDetail, endAt: EpochSeconds): void {
    const end = { state: 'ENDED', startAt: null, endAt, outcome: 'CANCELLED', exitCode: null } as const;
    this.byNumber.delete(nativeId);
    this.byNumber.set(nativeId, { name, job: { nativeId, submittedAt: submitAt, ...end } });
    const [oldest] = this.byNumber.keys();
    if (this.byNumber.size > KEPT && oldest !== undefined) this.byNumber.delete(oldest);
  }

  find(ref: NativeRef): NativeJob | null {
    const withdrawn = this.byNumber.get(ref.nativeId);
    return withdrawn && isMeant(ref, withdrawn.name, withdrawn.job.submittedAt) ? withdrawn.job : null;
  }

  byName(name: string): NativeJob | null {
    for (const withdrawn of this.byNumber.values()) if (withdrawn.name === name) return withdrawn.job;
    return null;
  }
}
