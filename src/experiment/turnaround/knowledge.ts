import type { JobRecord } from '../../domain/job.ts';
import type { RuntimePredictor, SiteListener } from '../../predict/predictor.ts';
import { RUNTIME } from '../../predict/quantities.ts';
import { createPredictor } from '../../predict/registry.ts';
import type { Cluster } from '../../sim/cluster.ts';
import type { SecondsToRun } from '../../sim/look-ahead.ts';
import { ForecastRuntimes } from '../delay/job-runtimes.ts';
import { ExpectedRuntimes } from '../look-ahead/expected-runtimes.ts';
import { settingsFor } from '../told-settings.ts';

/** What somebody thinks of the runtimes of the jobs of a site. */
export interface Knowledge {
  /** Told of every event after this is. */
  readonly listeners?: readonly SiteListener[];
  submitted?(row: number, record: JobRecord): void;
  started?(record: JobRecord): void;
  ended?(row: number, record: JobRecord): void;
  /** The courses that things may take from now on, each with a runtime of every job. */
  courses(cluster: Cluster): readonly SecondsToRun[];
  /** With which probability a job runs no longer than in one of several courses. */
  probabilityIn?(course: number, row: number): number;
}

/** What nobody can know: how long each job will run. */
export const TRUTH: Knowledge = {
  courses: ({ table, now }) => [
    (row, isRunning) =>
      isRunning ? (table.columns.dueAt[row] as number) - now : (table.columns.runSeconds[row] as number),
  ],
};

/**
 * Knowledge by its name: `true`, or `PREDICTOR[*COURSES]` with a predictor of runtimes.
 * @throws RangeError for a name that is none
 */
export function knowledgeNamed(name: string, { settings, seed }: { settings: string; seed: number }): Knowledge {
  if (name === 'true') return TRUTH;
  const [, predictorName = '', courses] = /^(.+?)(?:\*([1-9]\d?))?$/.exec(name) ?? [];
  const predictor = createPredictor(RUNTIME, predictorName, settingsFor(predictorName, settings));
  return courses ? byCourses(predictor, Number(courses), seed) : byPoints(predictor);
}

/** The point that a predictor says at each job's submission; of jobs that run beyond what they have run. */
function byPoints(predictor: RuntimePredictor): Knowledge {
  const runtimes = new ForecastRuntimes(predictor);
  const jobs = new Map<number, JobRecord>();
  return {
    listeners: [predictor],
    submitted(row, record) {
      jobs.set(row, record);
      runtimes.submitted(record);
    },
    ended(row, { nativeId }) {
      jobs.delete(row);
      runtimes.ended(nativeId);
    },
    courses({ table, now }) {
      const { startAt, walltimeSeconds } = table.columns;
      const secondsToRun: SecondsToRun = (row, isRunning) => {
        const job = jobs.get(row);
        if (!job) return walltimeSeconds[row] as number;
        if (!isRunning) return runtimes.ofJob(job, { now });
        const since = startAt[row] as number;
        return runtimes.ofJob({ ...job, key: null, startAt: since }, { now }) - (now - since);
      };
      return [secondsToRun];
    },
  };
}

/** Several courses, in each of which every job has one of the percentiles that a predictor says. */
function byCourses(predictor: RuntimePredictor, count: number, seed: number): Knowledge {
  const expected = new ExpectedRuntimes(predictor, count, seed);
  return {
    submitted: (row, record) => expected.submitted(row, record),
    started: (record) => expected.started(record),
    ended: (row, record) => expected.ended(row, record),
    courses: (cluster) => Array.from({ length: count }, (_, course) => expected.course(course, cluster)),
    probabilityIn: (course, row) => expected.probabilityIn(course, row),
  };
}
