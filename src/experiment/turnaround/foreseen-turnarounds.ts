import { quantileSorted } from 'simple-statistics';
import type { EpochSeconds } from '../../domain/clock.ts';
import type { JobRecord } from '../../domain/job.ts';
import type { Workload } from '../../sim/workload.ts';
import { relativeAccuracy } from '../../stats/relative-accuracy.ts';
import { ToldSite } from '../look-ahead/told-site.ts';
import { foreseenRun } from './foreseen-run.ts';
import type { Knowledge } from './knowledge.ts';

/** Which jobs are foreseen, by their numbers in the log, and how. */
export interface ForeseenOptions {
  readonly processors: number;
  /** What is known of the jobs, see `ToldSite`. */
  readonly records: readonly JobRecord[];
  /** Those before only teach. */
  readonly from: number;
  /** One in so many. */
  readonly every: number;
  onProgress(doneJobs: number): void;
}

/** Turnarounds, from submission to end, as they were foreseen at the submission, beside what they came out as. */
export interface Foreseen {
  /** The job's number in the log. */
  readonly number: number;
  readonly submitAt: EpochSeconds;
  readonly endAt: EpochSeconds;
  readonly saidSeconds: number;
  /** Whether it did not start at once. */
  readonly hasWaited: boolean;
}

/**
 * Runs a log through a machine. At each submission a copy of the machine goes on until that job has ended, with the
 * runtimes that are thought of for those that run and wait. The least wrong of the ends of several courses counts.
 */
export function foreseenTurnarounds(workload: Workload, knowledge: Knowledge, options: ForeseenOptions): Foreseen[] {
  const said = new Map<number, Pick<Foreseen, 'number' | 'saidSeconds'>>();
  const foreseen: Foreseen[] = [];
  const site = new ToldSite({
    ...options,
    workload,
    listeners: knowledge.listeners ?? [],
    submitted(row, record, { site: { cluster }, policy, newest }) {
      knowledge.submitted?.(row, record);
      if (newest < options.from || (newest - options.from) % options.every !== 0) return;
      const run = foreseenRun(row, knowledge.courses(cluster), cluster, policy);
      if (run) said.set(row, { number: newest, saidSeconds: run.endAt - cluster.now });
    },
    started: (_, record) => knowledge.started?.(record),
    ended(row, record) {
      const { submitAt, startAt, endAt } = record;
      knowledge.ended?.(row, record);
      const own = said.get(row);
      if (!own || endAt === null) return;
      said.delete(row);
      foreseen.push({ ...own, submitAt, endAt, hasWaited: startAt !== submitAt });
    },
  });
  site.runAll(options.onProgress);
  return foreseen;
}

/** How good they were: relative accuracies, their mean, and those that some of them reach. */
export interface TurnaroundScore {
  readonly jobs: number;
  readonly meanAccuracy: number;
  readonly medianAccuracy: number;
  readonly accuracy75: number;
  readonly accuracy95: number;
  readonly maeSeconds: number;
}

/** Null where there are none. */
export function turnaroundScore(foreseen: readonly Foreseen[]): TurnaroundScore | null {
  if (foreseen.length === 0) return null;
  const accuracies = foreseen.map(({ saidSeconds, submitAt, endAt }) =>
    relativeAccuracy(saidSeconds, endAt - submitAt),
  );
  const sorted = Float64Array.from(accuracies).sort() as unknown as number[];
  const errors = foreseen.map(({ saidSeconds, submitAt, endAt }) => Math.abs(saidSeconds - endAt + submitAt));
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    jobs: foreseen.length,
    meanAccuracy: meanOf(accuracies),
    medianAccuracy: quantileSorted(sorted, 0.5),
    accuracy75: quantileSorted(sorted, 0.75),
    accuracy95: quantileSorted(sorted, 0.95),
    maeSeconds: meanOf(errors),
  };
}
