import type { EpochSeconds } from '../domain/clock.ts';
import type { RuleTree } from '../domain/co-allocation.ts';
import type { QuantityForecast, SlotsForecast, WaitForecast, WaitQuery } from '../domain/forecast.ts';
import type { IoForecast } from '../domain/io-ahead.ts';
import type { Submission } from '../domain/job.ts';
import type { Trajectory, TrajectoryPoint } from '../domain/plan.ts';
import type { Program } from '../domain/program.ts';
import type { ReservationMode } from '../domain/reservation.ts';
import type { ReservationOffer } from '../domain/reservation-offer.ts';
import type { PlannedLeg } from '../plan/co-allocate.ts';
import type { CappedJointOffer } from '../plan/offer-within-caps.ts';
import type { SlotsQuery } from '../predict/site-quantity.ts';

/** A reservation as the forecaster is asked for it, at one site. */
export interface ReservationQuestion {
  readonly queue: string | null;
  readonly processors: number;
  /** What the site bills for each second of it, in processors; as many as it asks for unless told. */
  readonly billedProcessors?: number;
  readonly walltimeSeconds: number;
  readonly user: string | null;
  /** What it runs; absent where that is not told. */
  readonly program?: Program | undefined;
  /** As of a job's request. */
  readonly gpus?: number | undefined;
  readonly memoryMebibytes?: number | undefined;
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
  /** Most that holding processors may cost on average; any unless told. */
  readonly maxExpectedPaddingProcessorSeconds?: number | null;
  /** Longest walltime the site's queue accepts; null for any. */
  readonly maxWalltimeSeconds: number | null;
  readonly now: EpochSeconds;
}

/**
 * The answer with the forecasts at the chosen (or best) submission time, to be kept and scored. Null forecast, and no
 * others: no point at all.
 */
export interface ReservationAnswer {
  readonly offer: ReservationOffer;
  readonly forecast: WaitForecast | null;
  /** Of everything but the wait, of the work without what it holds its processors for. */
  readonly others: readonly QuantityForecast[];
}

/** One part of a co-allocation at one site that may run it; `leg.probability` and `leg.margin` are ignored. */
export interface PartQuestion {
  readonly partId: string;
  readonly siteId: string;
  readonly leg: ReservationQuestion;
  /** What may be promised of each forecast in whole percent, from `promisableOfLegs`. */
  readonly promisable: readonly number[];
}

/** A co-allocation as the forecaster is asked for it. */
export interface CoAllocationQuestion {
  /** Every part at every site that may run it. */
  readonly candidates: readonly PartQuestion[];
  /** Over the parts. */
  readonly rule: RuleTree;
  readonly probability: number;
  /** In the worst case of dependence between the sites; null for any. */
  readonly minimumPessimisticProbability: number | null;
  /** Sites for one part, of which the first to start wins. */
  readonly mostSitesPerPart: number;
  readonly now: EpochSeconds;
}

/** The joint offer, and of a promise its legs with their trajectories and the forecasts at their submission times. */
export interface CoAllocationAnswer {
  readonly offer: CappedJointOffer;
  readonly legs: readonly AnsweredLeg[];
}

/** One part at one of the sites that it was given. */
export interface AnsweredLeg {
  readonly partId: string;
  readonly siteId: string;
  readonly planned: PlannedLeg;
  readonly trajectory: Trajectory;
  readonly forecast: WaitForecast;
  /** As of a reservation. */
  readonly others: readonly QuantityForecast[];
}

/** A promise that waits for its submission, and when that is to be by the plan so far. */
export interface HeldQuestion extends ReservationQuestion {
  /** Its own execution, which is not in its own way. */
  readonly executionId: string;
  readonly probability: number;
  readonly submitAt: EpochSeconds;
  /** It is put off no further, see `latestSubmitAt`. */
  readonly latestSubmitAt: EpochSeconds;
  /** What certainty is worth to it; null for a leg of a co-allocation. */
  readonly holdPriceSeconds: number | null;
}

/** A job that started early and holds its processors. */
export interface HoldingQuestion extends ReservationQuestion {
  readonly nativeId: string;
  readonly holdPriceSeconds: number;
  /** How much longer it will hold them. */
  readonly holdSeconds: number;
  /** Shortest hold that is worth another submission. */
  readonly leastGainSeconds: number;
  /** How often it has given them back before. */
  readonly releases: number;
}

/** When a promise that waits is to be submitted, as it looks now. */
export interface ReplanAnswer {
  /** Null when there is no submission time left. */
  readonly point: TrajectoryPoint | null;
  /** Its change points only, see `changePoints`. */
  readonly trajectory: Trajectory;
}

/** How far ahead the IO of a site is asked for. */
export interface IoQuestion {
  readonly now: EpochSeconds;
  readonly aheadSeconds: number;
}

/** Jobs that may be submitted now or later, as the forecaster is asked for them at one site. */
export interface DelayQuestion {
  readonly jobs: readonly Submission[];
  readonly now: EpochSeconds;
  /** The later moment; null for the one that the ends of the site's running jobs suggest, see `laterSubmitAt`. */
  readonly laterAt: EpochSeconds | null;
  /** Not later than that. */
  readonly latestAt: EpochSeconds;
}

/** What is forecast of each of them at either moment, alike, so that they can be compared. */
export interface DelayAnswer {
  readonly laterAt: EpochSeconds;
  readonly waits: readonly { readonly atOnce: WaitForecast; readonly later: WaitForecast }[];
}

/** How far a site's records have been taken in. */
export interface ForecasterState {
  readonly siteId: string;
  readonly learnedWaits: number;
  /**
   * Whether what is known of its past is still to be lived through, or about to be; until then forecasts rest on waits
   * alone.
   */
  readonly isLearning: boolean;
}

/** What can be asked. */
export interface Questions {
  /** One forecast per query, by the predictor that decides (see configuration) or the one named. */
  forecastWaits(siteId: string, queries: readonly WaitQuery[], predictor?: string): Promise<WaitForecast[]>;

  /**
   * One forecast per predictor of every quantity, so that all of them can be scored on the same job; in each quantity
   * the one that decides first.
   */
  forecastByAll(siteId: string, query: WaitQuery): Promise<QuantityForecast[]>;

  /**
   * A quantity other than the wait, by its predictor that decides, one forecast per job. Throws a RangeError when there
   * is no such one.
   */
  forecastOthers(siteId: string, quantity: string, jobs: readonly Submission[]): Promise<QuantityForecast[]>;

  /** How many waits are known of each queue of a site, by its name; queues of which none is known are absent. */
  knownWaits(siteId: string, now: EpochSeconds): Promise<Readonly<Record<string, number>>>;

  /**
   * The coming slots of a quantity of the site itself, by each of its predictors, the one that decides first. Throws a
   * RangeError when there is no such quantity.
   */
  forecastSlots(siteId: string, quantity: string, query: SlotsQuery, now: EpochSeconds): Promise<SlotsForecast[]>;

  /**
   * What the jobs that a site shows will read and write, slot by slot; null where that tells nothing of bytes, or was
   * never observed.
   */
  forecastIo(siteId: string, question: IoQuestion): Promise<IoForecast | null>;

  /** The waits of jobs submitted now and later; null where there is no such later moment. */
  forecastDelay(siteId: string, question: DelayQuestion): Promise<DelayAnswer | null>;

  /** Promise or refusal at one site. */
  offerReservation(siteId: string, question: ReservationQuestion): Promise<ReservationAnswer>;

  /** New submission times for promises that wait at one site, in their order. */
  replanReservations(siteId: string, held: readonly HeldQuestion[]): Promise<ReplanAnswer[]>;

  /** When a job had better be submitted again than hold its processors any longer; null when it should hold them. */
  weighRelease(siteId: string, question: HoldingQuestion): Promise<TrajectoryPoint | null>;

  /** Joint promise or refusal over several sites. */
  offerCoAllocation(question: CoAllocationQuestion): Promise<CoAllocationAnswer>;
}

/** Who asks. */
export interface Asker {
  /** Askers of different names share the forecasting fairly. */
  readonly name: string;
  /** Aborted when nobody waits for the answer any more: it is not computed to its end then. */
  readonly signal: AbortSignal;
  /** Forecasts that may be under way for askers of that name; the next one is refused with BUSY. */
  readonly mostInFlight: number;
}

/**
 * Forecasts for live sites. It follows the store's records by itself and computes off the event loop, so asking is
 * cheap and never blocks the process.
 */
export interface Forecaster extends Questions {
  /** Names of the predictors that can be asked, the one that decides first. */
  readonly predictors: readonly string[];

  /** The same questions in somebody's name. They may throw CallerError BUSY, or the reason of the asker's signal. */
  askedBy(asker: Asker): Questions;

  /** What has been learned so far, per site that was ever asked about. */
  state(): Promise<ForecasterState[]>;

  /** What has been learned so far of one site, with what its records say by now. */
  stateOf(siteId: string): Promise<ForecasterState>;

  close(): Promise<void>;
}
