import type { Logger } from 'pino';
import type { Clock } from '../domain/clock.ts';
import type { SiteAdapter } from '../domain/site-adapter.ts';
import type { Forecaster } from '../forecast/forecaster.ts';
import type { Database } from '../store/database.ts';
import type { SiteRow } from '../store/sites.ts';
import type { StagingLimits } from './staging/file-run.ts';
import type { RemoteFiles } from './staging/remote-files.ts';
import type { GroupPlans } from './steps/groups/group-plans.ts';

/** What the steps need of the outside world. */
export interface FlowContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly forecaster: Forecaster;
  /** The adapter of a site as the gateway, or as a tenant's account there; the same one for every call. */
  adapterOf(site: SiteRow, tenant?: string): SiteAdapter;
  readonly settings: FlowSettings;
  /** By which files are moved from and to callers' own addresses. */
  readonly remoteFiles: RemoteFiles;
  readonly groupPlans: GroupPlans;
  readonly logger: Logger;
  /** Told of what happens, for the metrics. */
  readonly meters: FlowMeters;
}

/** What is measured of durable execution. */
export interface FlowMeters {
  /** After every step. */
  onStep(step: { name: string; result: 'DONE' | 'STALE' | 'FAILED'; milliseconds: number }): void;
  /** When a row gets the turn it wanted, that many seconds of the service's clock after it wanted it. */
  onWakeUp(latenessSeconds: number): void;
  /** After promises that wait have been looked at again. */
  onRecomputed(count: number): void;
}

/** Intervals of durable execution. Seconds run on the service's clock, milliseconds on the wall's. */
export interface FlowSettings {
  /** How long a worker may be silent before another one takes its turn. */
  readonly leaseMilliseconds: number;
  /** By when a step ends for good; longer than a few calls of a site take. */
  readonly stepMilliseconds: number;
  /** By when a call of a site ends for good. */
  readonly callMilliseconds: number;
  /** One queue listing per site and interval. */
  readonly observeIntervalSeconds: number;
  /** One accounting listing per site and interval. */
  readonly historyIntervalSeconds: number;
  /** How often a promise that waits for its submission is looked at again. */
  readonly recomputeIntervalSeconds: number;
  /** By which a site's clock may differ from ours, and ours from PostgreSQL's. */
  readonly maxSkewSeconds: number;
  /** A site observed longer ago than that is not planned on. */
  readonly staleAfterSeconds: number;
  /** First pause before a transient fault is tried again; doubles up to an hour. */
  readonly retrySeconds: number;
  /** How long nothing is handed to a site that refused the like of it. */
  readonly refusalSeconds: number;
  /** How long a job waits for a site that cannot be planned on, before no site takes it. */
  readonly patienceSeconds: number;
  /** Observations are kept that long. */
  readonly retentionSeconds: number;
  /** The text of a script is kept that long after the end of its job. */
  readonly scriptRetentionSeconds: number;
  /** Whole months of forecasts that are kept; null for all. */
  readonly forecastRetentionMonths: number | null;
  /** Wake-ups of executions and co-allocations in hand at once; twice as many of sites, which mostly wait for them. */
  readonly concurrency: number;
  /** How often the sweeper looks for overdue rows. */
  readonly sweepMilliseconds: number;
  /** How overdue a row must be for the sweeper. */
  readonly overdueSeconds: number;
  readonly staging: StagingSettings;
}

/** How files are moved. */
export interface StagingSettings extends StagingLimits {
  /** By when the files of a job have to be at its site, and out of it after its end. */
  readonly deadlineSeconds: number;
  /** How long a folder stays that is kept after its job. */
  readonly keptSeconds: number;
  /** Folders of a tenant at a site that are kept at once; the oldest goes when there is one more. */
  readonly mostKept: number;
  /** By when a step that moves files ends for good: one file may be put in it, whatever its size. */
  readonly stepMilliseconds: number;
  /** A file that can be gone on with is moved for so long by one step. */
  readonly sliceMilliseconds: number;
}
