import type { JobRequest } from '../../../domain/job.ts';
import { type Keeping, keepClass } from '../../../domain/kept-classes.ts';
import type { Learned, Method } from './methods.ts';
import { NineFeatures } from './nine-features.ts';

interface Lesson {
  readonly rows: readonly Float64Array[];
  readonly targets: Float64Array;
}

/**
 * A regression on the nine features of wyatt-prionn, section 2.3: learned anew from the 500 jobs that ended last after
 * every 100 submissions. Before the first 100 it learns as often as the number of submissions doubles, from 10 on.
 */
export class RecentRegression {
  private readonly features = new NineFeatures();
  private readonly rows: Float64Array[] = [];
  private readonly targets: number[] = [];
  /** What was learned from last, and what came of it; null before the first time. */
  private lesson: Lesson | null = null;
  private learned: Learned | null = null;
  private submissions = 0;
  private learnsAt = FEWEST_SUBMISSIONS;

  constructor(private readonly method: Method) {}

  /** What was learned from is kept, and learned from again: the same comes of it. */
  static readonly keeping: Keeping<RecentRegression> = {
    save: ({ method: _method, learned: _learned, ...kept }) => kept,
    load(one, saved) {
      Object.assign(one, saved);
      one.learn(one.lesson);
    },
  };

  /** @param laterSubmissions how many are known to follow; while they are many nothing need be learned yet */
  submitted(laterSubmissions = 0): void {
    this.submissions++;
    if (this.submissions < this.learnsAt || laterSubmissions >= SUBMISSIONS_BETWEEN || this.rows.length === 0) return;
    this.learn({ rows: [...this.rows], targets: Float64Array.from(this.targets) });
    this.learnsAt = this.submissions + Math.min(this.submissions, SUBMISSIONS_BETWEEN);
  }

  private learn(lesson: Lesson | null): void {
    this.lesson = lesson;
    this.learned = lesson && this.method(lesson.rows, lesson.targets);
  }

  ended(job: JobRequest, target: number): void {
    this.rows.push(this.features.learn(job));
    this.targets.push(target);
    if (this.rows.length <= JOBS_LEARNED) return;
    this.rows.shift();
    this.targets.shift();
  }

  /** What it expects of a job; null as long as it has not learned. */
  expect(job: JobRequest): number | null {
    return this.learned?.(this.features.of(job)) ?? null;
  }
}

const JOBS_LEARNED = 500;
const SUBMISSIONS_BETWEEN = 100;
const FEWEST_SUBMISSIONS = 10;

keepClass(RecentRegression, RecentRegression.keeping);
