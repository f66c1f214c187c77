import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { SlurmAsk } from './job-asks.ts';
import type {
  SlurmAssociation,
  SlurmJob,
  SlurmLicence,
  SlurmNodes,
  SlurmPartition,
  SlurmProcessors,
  SlurmReservation,
  SlurmSettings,
} from './slurm-job.ts';

/** Which ended jobs are wanted: of one name, of some ids, or everybody's. */
export type EndedQuery =
  | { readonly name: string; readonly since: EpochSeconds }
  | { readonly ids: readonly string[]; readonly since: EpochSeconds; readonly withSteps?: boolean }
  /** Steps alone have what a job used, and there may be many. */
  | { readonly since: EpochSeconds; readonly until: EpochSeconds; readonly withSteps: boolean };

/** What a cluster is made of. */
export interface SlurmCapacity {
  readonly processors: SlurmProcessors;
  readonly nodes: readonly SlurmNodes[] | null;
}

/**
 * What one may ask of a Slurm controller, whether by commands or over slurmrestd. Failures are the adapter interface's.
 */
export interface SlurmController {
  /** Seconds by which the clock where it was last asked is ahead of ours; 0 where nothing tells. */
  readonly clockSkewSeconds: number;
  partitions(): Promise<readonly SlurmPartition[]>;
  processors(): Promise<SlurmProcessors>;
  /** The same, and the nodes of every partition; null where it is not told which are whose. */
  capacity(): Promise<SlurmCapacity>;
  /** Reservations that have not ended. */
  reservations(): Promise<readonly SlurmReservation[]>;
  /** Everybody's jobs that wait or run. */
  queue(): Promise<readonly SlurmJob[]>;
  /** Our own jobs that wait, run, or ended some minutes ago at most; of given ids at least those. */
  ownJobs(ids?: readonly string[]): Promise<readonly SlurmJob[]>;
  /** All that are counted out, in use or not; none where that is not told. */
  licences(): Promise<readonly SlurmLicence[]>;
  /** What holds for the whole cluster; null where that is not told. */
  settings(): Promise<SlurmSettings | null>;
  /** Hands a job over with all that is asked for it, and gives its id. */
  submit(script: string, asks: readonly SlurmAsk[]): Promise<string>;
  /** Asks for the end of our job of that id, and of that name if one is given. No such job is no error. */
  cancel(id: string, name: string | null): Promise<void>;
  /** Tells the script of our running job of that id and name to begin; absent where that cannot be told. */
  begin?(id: string, name: string): Promise<void>;
  close(): Promise<void>;
}

/** What one may ask of Slurm's memory of jobs that have ended. */
export interface SlurmAccounting {
  /** Every run of the jobs that ended in the time asked for: a job that was put back into the queue has several. */
  ended(query: EndedQuery): Promise<readonly SlurmJob[]>;
}

/** What one may ask of Slurm's memory of who may charge which account. */
export interface SlurmAssociations {
  /**
   * Our user's with the account that jobs are charged to, the configured one or else the default, and those of all
   * accounts.
   */
  list(): Promise<readonly SlurmAssociation[]>;
}

/**
 * A moment as sacct and slurmdb read it, rounded down. They refuse the first days of 1970, before there was a Slurm.
 */
export function asUnixTime(at: EpochSeconds): string {
  return `uts${Math.max(EARLIEST_SECONDS, Math.floor(at))}`;
}

const EARLIEST_SECONDS = 1_000_000_000;
