import type { SiteTerms } from '../../domain/resources.ts';
import type { UserError } from '../failure.ts';
import type { DeadlineAnswer } from './deadline-answer.ts';
import type { DependencyAnswer } from './dependency.ts';
import type { ForecastAnswer, SpreadAnswer } from './forecast-answers.ts';
import type { IoForecastAnswer } from './io-answers.ts';
import type { PlanAnswer } from './plan-answers.ts';

/** What the API answers to the documents, as JSON. Moments are ISO texts. */

export interface Named {
  readonly name: string;
}

export interface SiteAnswer extends Named {
  readonly id: string;
  readonly adapter: string;
  readonly state: string;
  readonly tags?: readonly string[];
  readonly processors: number;
  readonly usableProcessors: number | null;
  readonly maintenance: readonly MaintenanceAnswer[];
  readonly observedAt: string | null;
  readonly ageSeconds: number | null;
  readonly stale: boolean;
  readonly fault: string | null;
  readonly freeProcessors: number | null;
  readonly waitingJobs: number | null;
  readonly runningJobs: number | null;
  readonly records: number;
  readonly learning: boolean;
  readonly queues: readonly QueueAnswer[];
  /** Null unless the caller is an admin. */
  readonly downTime: {
    readonly suspendedAt: string | null;
    readonly evidence: readonly { readonly sign: string; readonly sinceAt: string; readonly explanation: string }[];
  } | null;
  readonly promises: { readonly decided: number; readonly kept: number; readonly promised: number | null };
}

/** One site by itself, with more of it. */
export interface WholeSiteAnswer extends SiteAnswer {
  /** Null unless the caller is an admin. */
  readonly loadForecast: {
    readonly predictor: string;
    readonly slots: readonly LoadSlotAnswer[];
  } | null;
  /** Null unless the caller is an admin, and where the site tells nobody's bytes. */
  readonly ioForecast: IoForecastAnswer | null;
}

/** Processors that are asked for in an hour; null where not known. */
export interface LoadSlotAnswer {
  readonly startsAt: string;
  readonly sampleSize: number;
  readonly processors: number | null;
  readonly median: number | null;
  readonly bound: number | null;
}

export interface QueueAnswer extends Named {
  readonly isDefault: boolean;
  readonly maxProcessors: number | null;
  readonly maxWalltimeSeconds: number | null;
  readonly usableProcessors: number | null;
  readonly bar: string | null;
  readonly barredTerm: keyof SiteTerms | null;
  readonly unusableBecause: string | null;
}

/** A stretch of time for which a site has set processors aside. */
export interface MaintenanceAnswer {
  readonly startAt: string;
  readonly endAt: string;
  /** Null for all of them. */
  readonly processors: number | null;
  readonly reason: string;
}

/** A start that a site puts off for a maintenance. */
export interface PutOffAnswer {
  readonly startAt: string;
  readonly explanation: string;
  readonly maintenance: MaintenanceAnswer;
}

/** What a site says when it is asked everything that is only read. */
export interface SiteCheckAnswer {
  readonly passed: boolean;
  readonly processors: number | null;
  readonly waitingJobs: number | null;
  readonly runningJobs: number | null;
  readonly recentRecords: number | null;
  readonly clockSkewSeconds: number | null;
  readonly accounting: boolean;
  readonly accountingLagSeconds: number;
  readonly queues: readonly QueueAnswer[] | null;
  readonly verbs: readonly {
    readonly verb: string;
    readonly result: string;
    readonly fault: string | null;
    readonly faultCode: string | null;
    readonly milliseconds: number;
  }[];
  readonly identities: readonly { readonly tenant: string; readonly user: string; readonly fault: string | null }[];
}

/** A log that was taken into a site's history. */
export interface ImportRowAnswer {
  readonly id: string;
  readonly importedAt: string;
  readonly importedBy: string;
  readonly imported: number;
  readonly changed: number;
  readonly skipped: number;
  readonly undoneAt: string | null;
  readonly removed: number | null;
}

/** A site that is outside the range that its forecasts were learned in. */
export interface OutsideAnswer {
  readonly explanation: string;
  readonly followed: boolean;
}

export interface SiteForecastAnswer {
  readonly site: Named;
  /** Null where the site could never run the job. */
  readonly forecast: ForecastAnswer | null;
  readonly explanation: string | null;
}

/** What a job or a reservation will be charged. */
export interface ChargeForecastAnswer {
  readonly neededProcessorSeconds: number;
  /** Null where nothing is known of the runtime. */
  readonly expectedNeededProcessorSeconds: number | null;
  readonly worstPaddingProcessorSeconds: number;
  readonly expectedPaddingProcessorSeconds: number;
}

export interface ChargeAnswer {
  readonly kind: string;
  readonly processorSeconds: number;
}

/** A file that is moved for a job, in or out. */
export interface StagedFileAnswer {
  readonly path: string;
  readonly direction: 'IN' | 'OUT';
  readonly state: 'WAITING' | 'MOVING' | 'MOVED' | 'FAILED' | 'SKIPPED';
  /** Null until it is known. */
  readonly bytes: number | null;
  readonly movedBytes: number;
  /** What went wrong last; null for nothing. */
  readonly reason: string | null;
}

export interface JobAnswer extends Named {
  readonly id: string;
  readonly owner: string;
  readonly state: string;
  readonly outcome: string | null;
  readonly reason: string | null;
  readonly queue: string | null;
  readonly processors: number;
  readonly walltimeSeconds: number;
  /** Null for a walltime that its caller stated. */
  readonly walltimeRisk?: number | null;
  readonly deadlineAt: string | null;
  readonly deadlineMissedAt: string | null;
  /** Null for a job without one. */
  readonly deadline?: DeadlineAnswer | null;
  readonly submitAt: string | null;
  /** Null when it was not held back. */
  readonly heldBackSince?: string | null;
  readonly nativeId: string | null;
  readonly submittedAt: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly exitCode: number | null;
  readonly waitSeconds: number | null;
  readonly cancelRequestedAt: string | null;
  readonly createdAt: string;
  readonly siteReason: string | null;
  readonly siteEstimatedStartAt: string | null;
  readonly sitePriority: number | null;
  readonly site: Named | null;
  readonly charges: readonly ChargeAnswer[];
  readonly submissions: readonly {
    readonly key: string;
    readonly state: string;
    readonly intendedAt: string;
    readonly siteSays: string | null;
    readonly site: Named;
  }[];
  readonly plan?: PlanAnswer | null;
  /** Null unless it is running. */
  readonly expectedEndAt?: string | null;
  /** Null until it has a site, and once it has ended. */
  readonly runtime?: SpreadAnswer | null;
  readonly after?: readonly DependencyAnswer[];
  readonly stagedFiles?: readonly StagedFileAnswer[];
  /** Between the last end of those and its start. */
  readonly gapSeconds?: number | null;
  readonly expectedGapSeconds?: number | null;
}

export interface PointAnswer {
  readonly submitAt: string;
  readonly walltimeSeconds: number;
  readonly probability: number;
}

export interface ReservationAnswer {
  readonly id: string;
  readonly state: string;
  readonly mode: string;
  readonly startAt: string;
  readonly windowOpensAt: string | null;
  readonly ifMissed: string;
  readonly probability: number;
  readonly promisedProbability: number;
  readonly currentProbability: number;
  readonly submitAt: string | null;
  readonly worstPaddingProcessorSeconds: number;
  readonly expectedPaddingProcessorSeconds: number;
  readonly releasedProcessorSeconds: number;
  readonly decidedAt: string | null;
  readonly createdAt: string;
  readonly site: Named | null;
  readonly trajectory: readonly PointAnswer[];
  readonly charges: readonly ChargeAnswer[];
  readonly job: Pick<
    JobAnswer,
    | 'id'
    | 'name'
    | 'state'
    | 'outcome'
    | 'reason'
    | 'processors'
    | 'walltimeSeconds'
    | 'nativeId'
    | 'submittedAt'
    | 'startedAt'
    | 'endedAt'
    | 'waitSeconds'
  >;
}

export interface CoAllocationAnswer {
  readonly id: string;
  readonly ruleText: string;
  readonly ifLegMissed: string;
  readonly startAt: string;
  readonly probability: number;
  readonly promisedProbability: number;
  readonly pessimisticProbability: number | null;
  readonly pairedObservations: number | null;
  readonly state: string;
  readonly reason: string | null;
  readonly decidedAt: string | null;
  readonly createdAt: string;
  readonly legs: readonly (ReservationAnswer & { readonly leg: string })[];
}

/** The most that a refusal has to offer. */
export type BestOfferAnswer = Pick<PointAnswer, 'submitAt' | 'probability'> & { readonly siteName: string };

/** What comes closest to a joint promise that is refused. */
export interface BestJointOfferAnswer {
  readonly probability: number;
  readonly pessimisticProbability: number;
  readonly pairedObservations: number | null;
}

/** A mutation's payload: the object under its own name, null when there are errors. */
export type Payload<Name extends string, Thing> = Readonly<Record<Name, Thing | null>> & {
  readonly userErrors: readonly UserError[];
};
