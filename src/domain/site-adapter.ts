import type { EpochSeconds } from './clock.ts';
import type { JobOutcome, JobRecord, JobSpec } from './job.ts';
import type { FolderAnswer, FolderRequest } from './job-folder.ts';
import type { OutputPiece, OutputRequest } from './job-output.ts';
import type { RequestName } from './resources.ts';
import type { SiteFacts } from './site.ts';
import type { ServiceStanding } from './site-service.ts';
import type { Snapshot } from './snapshot.ts';

/** A job's name at its site. Sites reuse ids, so an id means something only together with its submission time. */
export interface NativeRef {
  readonly nativeId: string;
  readonly submittedAt: EpochSeconds;
  /** The submission key, for whoever knows it: only the job that bears it is meant. */
  readonly key?: string;
}

/** Proof that the site accepted exactly one job bearing the key. */
export type Acceptance = NativeRef;

/** What some sites tell of a job that they have taken off its processors and started once more. */
export interface EarlierRuns {
  /** For how long earlier runs of it held processors, by accounting; absent where the site does not tell. */
  readonly earlierRunSeconds?: number;
}

/**
 * What queue or accounting say of one job. `ENDED` always comes with an outcome; a job nobody mentions is not in the
 * answer.
 */
export type NativeJob = NativeRef &
  EarlierRuns &
  (
    | { readonly state: 'WAITING'; readonly startAt: null; readonly endAt: null; readonly outcome: null }
    | { readonly state: 'RUNNING'; readonly startAt: EpochSeconds; readonly endAt: null; readonly outcome: null }
    | {
        readonly state: 'ENDED';
        /** Null when the job ended without ever starting. */
        readonly startAt: EpochSeconds | null;
        readonly endAt: EpochSeconds;
        readonly outcome: JobOutcome;
        /**
         * Exit status of a script that ran to its end, by itself or by a signal, which adds 128, where the site tells
         * it; null of a job that was cancelled, ran into its walltime or was taken down.
         */
        readonly exitCode: number | null;
        /** What the site tells beside of how it ended, as a phrase; absent where it is nothing. */
        readonly note?: string | undefined;
        /**
         * What accounting bills for each second of it, in processors: what it was given, or more by the site's weights.
         * Absent where that is not told.
         */
        readonly billedProcessors?: number;
      }
  );

/** What a site can and cannot do, so that callers need not try. */
export interface AdapterCapabilities {
  /** Accounting still knows jobs that have left the queue. */
  readonly accounting: boolean;
  /** Longest time between a job's end and its appearance in accounting. */
  readonly accountingLagSeconds: number;
  /** Without accounting: how long the queue itself tells of a job that has ended; absent for not at all. */
  readonly endedInQueueSeconds?: number;
  /** What of a job's further requests the site honours; a job that asks for another one is `Rejected` by its name. */
  readonly honours?: readonly RequestName[];
}

/** A slice of a site's history and where to go on from. */
export interface HistoryPage {
  readonly records: readonly JobRecord[];
  /**
   * Pass it as `since` of the next call; slices may overlap, they never leave a gap. It moves on with the ends that are
   * told: an adapter that wants slices to overlap reads from before `since` itself.
   */
  readonly nextSince: EpochSeconds;
}

/**
 * One batch-scheduled machine, as one more user sees it. Every verb may throw `Unavailable` (transient, nothing
 * happened); those that change something may also throw `Rejected` (final) or `Unknown` (it may or may not have
 * happened: go and `find`). No answer is never success: a job that is missing from an answer is unknown, not ended.
 */
export interface SiteAdapter {
  readonly capabilities: AdapterCapabilities;

  /** Processors and queues with their limits. */
  facts(): Promise<SiteFacts>;

  /** The whole queue and the processors at one moment, by one listing however many jobs are tracked. */
  snapshot(): Promise<Snapshot>;

  /** Returning means the site accepted exactly one job bearing `key`. The key goes into the job's name or comment. */
  submit(spec: JobSpec, key: string): Promise<Acceptance>;

  /** Looks for the job bearing `key` in queue *and* accounting; null only when both answered and neither has it. */
  find(key: string, intendedAt: EpochSeconds): Promise<NativeJob | null>;

  /** States of the given jobs, keyed by native id. A job that neither queue nor accounting mentions is absent. */
  inspect(jobs: readonly NativeRef[]): Promise<ReadonlyMap<string, NativeJob>>;

  /** Returning means the job will not hold processors from now on; cancelling an ended or unknown job is no error. */
  cancel(job: NativeRef): Promise<void>;

  /**
   * Tells a running job to begin that waits for that (`withGatePreamble`). It may be told again, and does nothing more
   * then; who is not ready does not hear it. Absent where a site has no way to tell a job anything; nothing waits for
   * that there.
   */
  readonly begin?: ((job: NativeRef) => Promise<void>) | undefined;

  /**
   * A piece of what the job bearing a key has written; null when it has written nothing yet. `Rejected` when something
   * else stands in its place. Absent where nothing can be read of a job.
   */
  readonly readOutput?: ((request: OutputRequest) => Promise<OutputPiece | null>) | undefined;

  /**
   * Does something in the folder of a job. `Rejected` when the words of the request lead elsewhere; `Unavailable` for
   * all else that kept it from being done. Absent where no files can be moved.
   */
  readonly stage?: ((request: FolderRequest) => Promise<FolderAnswer>) | undefined;

  /** Records of jobs that changed since the moment given, in any order. */
  history(since: EpochSeconds): Promise<HistoryPage>;

  /**
   * How this process stands to each service of the site that it has asked something. Absent where no service is ever
   * left alone.
   */
  readonly standings?: (() => readonly ServiceStanding[]) | undefined;

  /** Lets go of connections and child processes. */
  close(): Promise<void>;
}
