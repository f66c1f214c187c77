import type { WaitForecast } from '../../domain/forecast.ts';
import type { JobRecord } from '../../domain/job.ts';
import { type WaitScore, WaitScorer } from '../../predict/wait-scores.ts';
import type { ExperimentRow } from '../experiment.ts';
import { hours, rounded } from '../report/rounded.ts';

/** Levels at which waits are told and promised. */
const LEVELS = [0.5, 0.75, 0.95] as const;

/** What was forecast of jobs, by the partition that they went to, beside how long they waited. */
export class ResourceTally {
  private readonly submissions: ReadonlyMap<string, WaitScorer>;
  private readonly promises: ReadonlyMap<string, WaitScorer>;

  /** @param queues that have a row each */
  constructor(
    private readonly records: readonly JobRecord[],
    private readonly queues: readonly string[],
  ) {
    this.submissions = scorersOf(queues);
    this.promises = scorersOf(queues);
  }

  /** As the job of that number was submitted. */
  atSubmission(job: number, forecast: WaitForecast): void {
    this.add(this.submissions, job, forecast);
  }

  /** Some time before. */
  ahead(job: number, forecast: WaitForecast): void {
    this.add(this.promises, job, forecast);
  }

  rows(variant: string): ExperimentRow[] {
    return this.queues.map((queue) => {
      const [now, ahead] = [this.submissions, this.promises].map((all) => (all.get(queue) as WaitScorer).score());
      return { name: `${queue} ${variant}`, ...figuresNow(now as WaitScore), ...figuresAhead(ahead as WaitScore) };
    });
  }

  private add(scorers: ReadonlyMap<string, WaitScorer>, job: number, forecast: WaitForecast): void {
    const { queue, submitAt, startAt, endAt } = this.records[job] as JobRecord;
    if (startAt === null) return;
    scorers.get(queue ?? '')?.add(forecast, startAt - submitAt, endAt === null ? null : endAt - startAt);
  }
}

function figuresNow(score: WaitScore): Record<string, number> {
  const levels = LEVELS.map((level) => [`level${100 * level}`, shareAt(score, level)] as const);
  return known({
    jobs: score.count,
    medianWaitHours: hours(score.medianWaitSeconds),
    aaeHours: hours(score.averageAbsoluteErrorSeconds),
    crpsHours: hours(score.crpsSeconds),
    ...Object.fromEntries(levels),
  });
}

function figuresAhead(score: WaitScore): Record<string, number> {
  const promises = LEVELS.flatMap((level) => [
    [`kept${100 * level}`, shareAt(score, level)] as const,
    [`within${100 * level}Hours`, boundAt(score, level)] as const,
  ]);
  return known({ promises: score.count, ...Object.fromEntries(promises) });
}

function shareAt({ coverage }: WaitScore, level: number): number | null {
  return rounded(coverage.find((one) => one.level === level)?.share ?? null, 3);
}

function boundAt({ coverage }: WaitScore, level: number): number | null {
  return hours(coverage.find((one) => one.level === level)?.medianBoundSeconds ?? null);
}

function known(figures: Readonly<Record<string, number | null>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(figures).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}

function scorersOf(queues: readonly string[]): ReadonlyMap<string, WaitScorer> {
  return new Map(queues.map((queue) => [queue, new WaitScorer()]));
}
