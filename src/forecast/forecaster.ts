import type { EpochSeconds } from '../domain/clock.ts';
import type { RuleTree } from '../domain/co-allocation.ts';
import type { WaitForecast, WaitQuery } from '../domain/forecast.ts';
import type { ReservationOffer, Trajectory, TrajectoryPoint } from '../domain/plan.ts';
import type { ReservationMode } from '../domain/reservation.ts';
import type { CoAllocationOffer } from '../plan/co-allocate.ts';

/** A reservation as the forecaster is asked for it, at one site. */
export interface ReservationQuestion {
  readonly queue: string | null;
  readonly processors: number;
  readonly walltimeSeconds: number;
  readonly user: string | null;
  readonly startAt: EpochSeconds;
  /** With mode `WINDOW`, the earliest moment at which the work may begin; null otherwise. */
  readonly windowOpensAt: EpochSeconds | null;
  readonly mode: ReservationMode;
  /** What the promise must reach, within (0, 1); null for the most probable submission time. */
  readonly probability: number | null;
  /** How far above the promise to aim, see `marginAfter`. */
  readonly margin: number;
  /** Most the caller will pay in the worst case, own work included; null for no cap. */
  readonly maxChargeProcessorSeconds: number | null;
  /** Longest walltime the site's queue accepts; null for any. */
  readonly maxWalltimeSeconds: number | null;
  readonly now: EpochSeconds;
}

/** The answer with the forecast at the chosen (or best) submission time, to be kept and scored. Null forecast: no point at all. */
export interface ReservationAnswer {
  readonly offer: ReservationOffer;
  readonly forecast: WaitForecast | null;
}

/** One leg of a co-allocation that is asked for; `leg.probability` is ignored, the group's counts. */
export interface LegQuestion {
  readonly legId: string;
  readonly siteId: string;
  readonly leg: ReservationQuestion;
}

/** A co-allocation as the forecaster is asked for it. */
export interface CoAllocationQuestion {
  readonly legs: readonly LegQuestion[];
  /** Over these legs. */
  readonly rule: RuleTree;
  readonly probability: number;
}

/** The joint offer, with every leg's trajectory and the forecasts at the chosen submission times. */
export interface CoAllocationAnswer {
  readonly offer: CoAllocationOffer;
  readonly legs: Readonly<Record<string, { trajectory: Trajectory; forecast: WaitForecast | null }>>;
}

/** A promise that waits for its submission, and when that is to be by the plan so far. */
export interface HeldQuestion extends ReservationQuestion {
  readonly probability: number;
  readonly submitAt: EpochSeconds;
}

/** When a promise that waits is to be submitted, as it looks now. */
export interface ReplanAnswer {
  /** Null when there is no submission time left. */
  readonly point: TrajectoryPoint | null;
  /** Its change points only, see `changePoints`. */
  readonly trajectory: Trajectory;
}

/** How far a site's records have been taken in. */
export interface ForecasterState {
  readonly siteId: string;
  readonly learnedWaits: number;
  readonly newestRevision: number;
}

/**
 * Forecasts for live sites. It follows the store's records by itself and computes off the event loop, so asking is cheap and
 * never blocks the process.
 */
export interface Forecaster {
  /** Names of the predictors that can be asked, the one that decides first. */
  readonly predictors: readonly string[];

  /** One forecast per query, by the predictor that decides (see configuration) or the one named. */
  forecastWaits(siteId: string, queries: readonly WaitQuery[], predictor?: string): Promise<WaitForecast[]>;

  /** One forecast per known predictor, so that all of them can be scored on the same job. */
  forecastByAll(siteId: string, query: WaitQuery): Promise<WaitForecast[]>;

  /** Promise or refusal at one site. */
  offerReservation(siteId: string, question: ReservationQuestion): Promise<ReservationAnswer>;

  /** New submission times for promises that wait at one site, in their order. */
  replanReservations(siteId: string, held: readonly HeldQuestion[]): Promise<ReplanAnswer[]>;

  /** Joint promise or refusal over several sites. */
  offerCoAllocation(question: CoAllocationQuestion): Promise<CoAllocationAnswer>;

  /** What has been learned so far, per site that was ever asked about. */
  state(): Promise<ForecasterState[]>;

  close(): Promise<void>;
}
