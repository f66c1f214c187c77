import type { EpochSeconds } from '../../domain/clock.ts';
import { hasRun, type JobRecord, requestOf } from '../../domain/job.ts';
import type { JobUse } from '../../domain/job-use.ts';
import { bandwidthOf, IoSum, type Slots } from '../../predict/io-ahead/io-slots.ts';
import type { BytesPredictor } from '../../predict/predictor.ts';
import type { Workload } from '../../sim/workload.ts';
import { ToldSite } from '../look-ahead/told-site.ts';
import { foreseenRun } from '../turnaround/foreseen-run.ts';
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
  readonly foreseen: IoSum;
}

interface Said {
  readonly readBytes: number;
  readonly writtenBytes: number;
}

/**
 * Runs a log through a machine. What each job will read and write, and when, is foreseen at its submission and never
 * again: the sum of that is what was foreseen of the site. Section 4.3 of wyatt-prionn.
 */
export function foreseenIo(workload: Workload, options: ForeseenIoOptions): ForeseenIo {
  const { slots, knowledge, bytes } = options;
  const [actual, foreseen] = [new IoSum(slots), new IoSum(slots)];
  const said = new Map<number, Said>();
  const trueBytes = new Map(options.records.map(({ nativeId, use }) => [nativeId, saidBy(use)]));
  const site: ToldSite = new ToldSite({
    ...options,
    workload,
    listeners: [...(bytes ? [bytes.read, bytes.written] : []), ...(knowledge?.listeners ?? [])],
    submitted(row, record, { site: { cluster }, policy, newest }) {
      const own = bytes ? predicted(bytes, record, cluster.now) : trueBytes.get(String(workload.columns.id[newest]));
      said.set(row, own ?? NOTHING);
      knowledge?.submitted?.(row, record);
      const run = knowledge && foreseenRun(row, knowledge.courses(cluster), cluster, policy);
      if (run) addRun(foreseen, run, own ?? NOTHING);
    },
    started: (_, record) => knowledge?.started?.(record),
    ended(row, record) {
      knowledge?.ended?.(row, record);
      if (hasRun(record)) {
        addRun(actual, record, saidBy(record.use));
        if (!knowledge) addRun(foreseen, record, said.get(row) ?? NOTHING);
      }
      said.delete(row);
    },
  });
  site.runAll(options.onProgress);
  return { actual, foreseen };
}

const NOTHING: Said = { readBytes: 0, writtenBytes: 0 };

function predicted({ read, written }: NonNullable<BytesOfJobs>, record: JobRecord, now: EpochSeconds): Said {
  const request = requestOf(record);
  return {
    readBytes: read.predict(request, null, now).pointBytes,
    writtenBytes: written.predict(request, null, now).pointBytes,
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
