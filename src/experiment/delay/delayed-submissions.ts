import type { EpochSeconds } from '../../domain/clock.ts';
import type { HeldJob } from '../../domain/hold-queue.ts';
import { isWorthDelaying, laterSubmitAt, type PredictedResponses } from '../../plan/job/delay.ts';
import { submitAtBehind } from '../../plan/job/hold-queue.ts';
import type { ReplayedSite } from '../../sim/replayed-site.ts';
import type { Arrival, SubmissionHook } from '../../sim/submission-hook.ts';

/** Says what is to be expected of a job submitted now, and at a later moment. */
export interface DelayJudge {
  /** Predicted ends of the running jobs. */
  endsAt(site: ReplayedSite): EpochSeconds[];
  responses(arrival: Arrival, site: ReplayedSite, laterAt: EpochSeconds): PredictedResponses;
}

/** What is unlike the paper's rule. */
export interface DelayRule {
  /** Which jobs may be held, by their numbers: from the first, up to and without the last. */
  readonly from: number;
  readonly to: number;
  readonly leastReduction: number;
  /** Whether jobs that come while one is held queue behind it. */
  readonly holdsOthers: boolean;
}

/** A job that was held on its own account. */
export interface HeldHead extends HeldJob {
  readonly number: number;
  readonly predicted: PredictedResponses;
}

/**
 * Holds jobs back before a site sees them, as hariharan-end-to-end-predictions, section IV-B, does: a job whose
 * response is predicted so much lower, and behind it whoever comes meanwhile.
 */
export class DelayedSubmissions {
  readonly heads: HeldHead[] = [];
  /** Seconds by which each job behind a head was put off. */
  readonly behindSeconds: number[] = [];
  private head: HeldJob | null = null;
  private last: HeldJob | null = null;
  private readonly held = new Set<number>();

  constructor(
    private readonly judge: DelayJudge,
    private readonly terms: DelayRule,
  ) {}

  readonly atSubmission: SubmissionHook = (arrival, site) => {
    const { number, job, at } = arrival;
    const mayHold = number >= this.terms.from && number < this.terms.to && !this.held.delete(number);
    const submitAt = mayHold ? (this.behind(at) ?? this.ownDelay(arrival, site) ?? at) : at;
    if (submitAt > at) this.held.add(number);
    return { ...job, submitAt };
  };

  private behind(at: EpochSeconds): EpochSeconds | null {
    if (!this.terms.holdsOthers) return null;
    const submitAt = submitAtBehind(this.head, this.last, at);
    if (submitAt === null) return null;
    this.last = { arrivedAt: at, submitAt };
    this.behindSeconds.push(submitAt - at);
    return submitAt;
  }

  private ownDelay(arrival: Arrival, site: ReplayedSite): EpochSeconds | null {
    const { number, at: arrivedAt } = arrival;
    const submitAt = laterSubmitAt(this.judge.endsAt(site), arrivedAt);
    if (submitAt === null) return null;
    const predicted = this.judge.responses(arrival, site, submitAt);
    if (!isWorthDelaying(predicted, this.terms.leastReduction)) return null;
    this.head = this.last = { arrivedAt, submitAt };
    this.heads.push({ number, arrivedAt, submitAt, predicted });
    return submitAt;
  }
}
