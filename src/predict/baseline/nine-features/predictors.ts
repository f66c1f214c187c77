import type { JobRequest, SubmittedJob } from '../../../domain/job.ts';
import type { IoBytes } from '../../../domain/job-use.ts';
import { BytesRule } from '../bytes-rule.ts';
import { RuntimeRule } from '../runtime-rule.ts';
import { learnForest, learnNeighbours, learnTree, type Method } from './methods.ts';
import { RecentRegression } from './recent-regression.ts';

/**
 * The methods that wyatt-prionn compares with, by their names, as scikit-learn had them when it was written; its
 * forests were of ten trees then.
 */
export const NINE_FEATURE_METHODS: readonly (readonly [name: string, method: Method])[] = [
  ['baseline/random-forest', learnForest(30)],
  ['baseline/decision-tree', learnTree],
  ['baseline/nearest-neighbours', learnNeighbours(5)],
];

/** Runtimes by a regression on nine features. Source: wyatt-prionn, Table 1 and section 2.3. */
export class NineFeatureRuntime extends RuntimeRule {
  private readonly regression: RecentRegression;

  constructor(
    readonly name: string,
    method: Method,
  ) {
    super();
    this.regression = new RecentRegression(method);
  }

  submitted(_job: SubmittedJob, laterSubmissions?: number): void {
    this.regression.submitted(laterSubmissions);
  }

  override pointSeconds(job: JobRequest): number | null {
    return this.regression.expect(job);
  }

  protected override absorb(job: JobRequest, seconds: number): void {
    this.regression.ended(job, seconds);
  }
}

/** Bytes read, or written, by the same. */
export class NineFeatureBytes extends BytesRule {
  private readonly regression: RecentRegression;

  constructor(
    readonly name: string,
    which: IoBytes,
    method: Method,
  ) {
    super(which);
    this.regression = new RecentRegression(method);
  }

  submitted(_job: SubmittedJob, laterSubmissions?: number): void {
    this.regression.submitted(laterSubmissions);
  }

  protected override pointBytes(job: JobRequest): number | null {
    return this.regression.expect(job);
  }

  protected override absorb(job: JobRequest, bytes: number): void {
    this.regression.ended(job, bytes);
  }
}
