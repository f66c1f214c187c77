import type { AdapterRegistry } from '../../domain/adapter-registry.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Forecaster } from '../../forecast/forecaster.ts';
import type { Database } from '../../store/database.ts';

/** How much one caller may ask for at once. */
export interface Limits {
  readonly maxScriptBytes: number;
  readonly maxArguments: number;
  /** Of a tenant that have not ended, bodies of reservations among them. */
  readonly maxOpenJobs: number;
  /** All arguments together. */
  readonly maxArgumentBytes: number;
  readonly maxProcessors: number;
  readonly maxWalltimeSeconds: number;
  /** How far ahead a start time or deadline may lie. */
  readonly maxHorizonSeconds: number;
  /** Legs of one co-allocation. */
  readonly maxLegs: number;
  /** Sites at which one of them is tried. */
  readonly maxSitesPerLeg: number;
  /** Forecasts that may be under way for one tenant, one for each site and job. */
  readonly maxForecastsInFlight: number;
  /** Operations of one tenant that one API process works on at once, and those that may wait for them. */
  readonly maxOperations: number;
  readonly maxWaitingOperations: number;
  /** Subscriptions that one tenant may have at one API process, over all connections. */
  readonly maxSubscriptions: number;
  /** What these may cost together, each as a query is judged. */
  readonly maxSubscriptionCost: number;
  /** WebSocket connections that one tenant may have at one API process. */
  readonly maxSockets: number;
  /** Wall time for one operation. */
  readonly maxOperationSeconds: number;
  /** Wall time for one that imports a history. */
  readonly maxImportSeconds: number;
  /** A site observed longer ago than that is not promised on. */
  readonly staleAfterSeconds: number;
  /** Size of a history after unpacking. */
  readonly maxImportBytes: number;
  /** What one verb of a site may take that is being checked, in wall time. */
  readonly checkMilliseconds: number;
  /** Body of one HTTP request of an authenticated caller. */
  readonly maxBodyBytes: number;
  /** One of which too little comes in so long is given up, after twice that at most; wall time. */
  readonly bodyPaceMilliseconds: number;
  /** One file that is staged, and all of one job. */
  readonly maxStagedFileBytes: number;
  readonly maxStagedJobBytes: number;
}

/** Limits that suit a department; every one can be overridden. */
export const DEFAULT_LIMITS: Limits = {
  maxScriptBytes: 1 << 20,
  maxArguments: 1000,
  maxOpenJobs: 200_000,
  maxArgumentBytes: 1 << 16,
  maxProcessors: 10_000_000,
  maxWalltimeSeconds: 366 * 86_400,
  maxHorizonSeconds: 60 * 86_400,
  maxLegs: 8,
  maxSitesPerLeg: 4,
  maxForecastsInFlight: 500,
  maxOperations: 32,
  maxWaitingOperations: 1000,
  maxSubscriptions: 500,
  maxSubscriptionCost: 15_000,
  maxSockets: 50,
  maxOperationSeconds: 30,
  maxImportSeconds: 330,
  staleAfterSeconds: 600,
  maxImportBytes: 512 << 20,
  checkMilliseconds: 20_000,
  maxBodyBytes: 48 << 20,
  bodyPaceMilliseconds: 20_000,
  maxStagedFileBytes: 16 * 2 ** 30,
  maxStagedJobBytes: 64 * 2 ** 30,
};

/** What a command needs of the outside world, for one request. */
export interface CommandContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly forecaster: Forecaster;
  readonly adapters: AdapterRegistry;
  readonly limits: Limits;
  /** Written down with what the request changes, so that worker and site logs lead back to it. */
  readonly requestId: string;
  /** Aborted when nobody waits for the answer any more: nothing is written after that. Never, unless told. */
  readonly signal?: AbortSignal;
}
