import type { EpochSeconds } from '../../domain/clock.ts';
import { hasRun, type JobRecord, requestOf } from '../../domain/job.ts';
import type { JobUse } from '../../domain/job-use.ts';
import { bandwidthOf, IoSum, type Slots } from '../../predict/io-ahead/io-slots.ts';
import type { BytesPredictor } from '../../predict/predictor.ts';
import { LookAhead } from '../../sim/look-ahead.ts';
import type { Workload } from '../../sim/workload.ts';
import { ToldSite } from '../look-ahead/told-site.ts';
import type { Knowledge } from '../turnaround/knowledge.ts';

/** Who says what a job reads and writes; null for the truth. */
export type BytesOfJobs = { readonly read: BytesPredictor; readonly written: BytesPredictor } | null;

export interface ForeseenIoOptions {
  readonly processors: number;
  /** With what the jobs read and write. */
  readonly records: readonly JobRecord[];
  /** What is compared, after the jobs that only teach. */
  readonly slots: Slots;
  /** Who says when a job runs; null for the simulation itself. */
  readonly knowledge: Knowledge | null;
  readonly bytes: BytesOfJobs;
  onProgress(doneJobs: number): void;
}

/** The bandwidth of a site, and as it was foreseen at the submissions of its jobs. */
export interface ForeseenIo {
  readonly actual: IoSum;
  /** In each of the courses that things may take, all as likely. */
  readonly foreseen: readonly IoSum[];
}

interface Said {
  readonly readBytes: number;
  readonly writtenBytes: number;
}

/** What a job reads and writes, in each course. */
type SaidIn = (course: number) => Said;

/**
 * Runs a log through a machine. What each job will read and write, and when, is foreseen at its submission and never
 * again: the sum of that is what was foreseen of the site, section 4.3 of wyatt-prionn. Where several courses of things
 * are thought of, each has a sum of its own, and a job that runs for long in one of them writes much there.
 */
export function foreseenIo(workload: Workload, options: ForeseenIoOptions): ForeseenIo {
  const { slots, knowledge, bytes } = options;
  const [actual, foreseen] = [new IoSum(slots), [] as IoSum[]];
  const sumOf = (course: number) => (foreseen[course] ??= new IoSum(slots));
  const said = new Map<number, SaidIn>();
  const trueBytes = new Map(options.records.map(({ nativeId, use }) => [nativeId, saidBy(use)]));
  const site: ToldSite = new ToldSite({
    ...options,
    workload,
    listeners: [...(bytes ? [bytes.read, bytes.written] : []), ...(knowledge?.listeners ?? [])],
    submitted(row, record, { site: { cluster }, policy, newest }) {
      knowledge?.submitted?.(row, record);
      const known = trueBytes.get(String(workload.columns.id[newest])) ?? NOTHING;
      const own = bytes ? predicted(bytes, record, { now: cluster.now, row, knowledge }) : () => known;
      said.set(row, own);
      for (const [course, secondsToRun] of (knowledge?.courses(cluster) ?? []).entries()) {
        const run = new LookAhead(cluster, policy, secondsToRun).runOf(row);
        if (run) addRun(sumOf(course), run, own(course));
      }
    },
    started: (_, record) => knowledge?.started?.(record),
    ended(row, record) {
      knowledge?.ended?.(row, record);
      if (hasRun(record)) {
        addRun(actual, record, saidBy(record.use));
        if (!knowledge) addRun(sumOf(0), record, said.get(row)?.(0) ?? NOTHING);
      }
      said.delete(row);
    },
  });
  site.runAll(options.onProgress);
  return { actual, foreseen };
}

const NOTHING: Said = { readBytes: 0, writtenBytes: 0 };

/** The points; where courses are thought of, written bytes by the percentile that the runtime has in each. */
function predicted(
  { read, written }: NonNullable<BytesOfJobs>,
  record: JobRecord,
  { now, row, knowledge }: { now: EpochSeconds; row: number; knowledge: Knowledge | null },
): SaidIn {
  const request = requestOf(record);
  const readBytes = read.predict(request, null, now).pointBytes;
  const { pointBytes, quantileBytes } = written.predict(request, null, now);
  return (course) => {
    const probability = knowledge?.probabilityIn?.(course, row);
    if (probability === undefined) return { readBytes, writtenBytes: pointBytes };
    return { readBytes, writtenBytes: quantileBytes[Math.floor(probability * quantileBytes.length)] ?? pointBytes };
  };
}

function saidBy(use: JobUse | undefined): Said {
  return { readBytes: use?.readBytes ?? 0, writtenBytes: use?.writtenBytes ?? 0 };
}

function addRun(
  sum: IoSum,
  { startAt, endAt }: { readonly startAt: EpochSeconds; readonly endAt: EpochSeconds },
  { readBytes, writtenBytes }: Said,
): void {
  sum.add({ startAt, endAt, ...bandwidthOf(readBytes, writtenBytes, endAt - startAt) });
}
