import { mean, sampleStandardDeviation } from 'simple-statistics';
import type { JobRequest } from '../../domain/job.ts';
import { RecentGroups } from '../recent-groups.ts';
import { RuntimeRule } from './runtime-rule.ts';

/** What jobs of one category have in common. */
type Template = (job: JobRequest) => string;

/** How long the jobs of a category run on average, and how far that may be off, in seconds. */
interface Estimate {
  readonly seconds: number;
  readonly intervalSeconds: number;
}

/**
 * The mean runtime of a category of past jobs: of all categories that the job falls into, by templates of what jobs
 * have in common, the one whose mean has the smallest 90 % confidence interval. A category keeps its last 100 jobs,
 * either their runtimes or the shares they used of their requests. The paper searches the set of templates by a genetic
 * algorithm; here it is fixed. Source: Smith, Foster and Taylor, Predicting application run times with historical
 * information, JPDC 64(9), 2004.
 */
export class SmithTemplates extends RuntimeRule {
  readonly name = 'baseline/smith';
  private readonly categories = new RecentGroups<readonly number[]>();

  override pointSeconds(job: JobRequest): number | null {
    let best: Estimate | null = null;
    for (const { name, unitSeconds } of categoriesOf(job)) {
      const estimate = estimateOf(this.categories.get(name) ?? [], unitSeconds);
      if (estimate && (!best || estimate.intervalSeconds < best.intervalSeconds)) best = estimate;
    }
    return best?.seconds ?? job.requestedWalltimeSeconds;
  }

  protected override absorb(job: JobRequest, seconds: number): void {
    for (const { name, unitSeconds } of categoriesOf(job)) {
      const before = this.categories.get(name) ?? [];
      this.categories.set(name, [...before.slice(1 - JOBS_KEPT), seconds / unitSeconds]);
    }
  }
}

/** The categories that a job falls into, and what their values are multiples of: a second, or the request. */
function categoriesOf(job: JobRequest): { readonly name: string; readonly unitSeconds: number }[] {
  const requested = job.requestedWalltimeSeconds;
  const plain = TEMPLATES.map((template, i) => ({ name: `seconds ${i} ${template(job)}`, unitSeconds: 1 }));
  if (!requested) return plain;
  return [
    ...plain,
    ...TEMPLATES.map((template, i) => ({ name: `share ${i} ${template(job)}`, unitSeconds: requested })),
  ];
}

function estimateOf(values: readonly number[], unitSeconds: number): Estimate | null {
  if (values.length < 2) return null;
  const spread = sampleStandardDeviation([...values]) / Math.sqrt(values.length);
  const intervalSeconds = studentAt95(values.length - 1) * spread * unitSeconds;
  return { seconds: mean([...values]) * unitSeconds, intervalSeconds };
}

/** The 95th percentile of Student's distribution; from ten degrees of freedom on within 0.5 %. */
function studentAt95(degreesOfFreedom: number): number {
  return STUDENT_AT_95[degreesOfFreedom - 1] ?? 1.645 * (1 + 1 / degreesOfFreedom);
}

/** Sizes within a factor of two are alike. */
function sizeClass({ processors }: JobRequest): number {
  return Math.floor(Math.log2(Math.max(1, processors)));
}

const TEMPLATES: readonly Template[] = [
  ({ user, queue, processors }) => `${processors} ${queue} ${user}`,
  (job) => `${sizeClass(job)} ${job.queue} ${job.user}`,
  ({ user, requestedWalltimeSeconds }) => `${requestedWalltimeSeconds} ${user}`,
  ({ user }) => `${user}`,
  (job) => `${sizeClass(job)} ${job.queue}`,
  ({ requestedWalltimeSeconds }) => `${requestedWalltimeSeconds}`,
];
const JOBS_KEPT = 100;
const STUDENT_AT_95 = [6.314, 2.92, 2.353, 2.132, 2.015, 1.943, 1.895, 1.86, 1.833] as const;
