import type { EpochSeconds } from './clock.ts';
import type { DownTimeEvidence } from './down-time.ts';
import type { FaultCode } from './failures.ts';
import type { LiveRuntimeForecast, WaitForecast } from './forecast.ts';
import type { NamedRequests } from './honours.ts';
import type { OwnSize, SizeChoice } from './job-sizes.ts';
import type { LossReason } from './loss-reason.ts';
import type { LicenceCount, NodeShape } from './node-shape.ts';
import type { Objective, PlanTerms } from './objective.ts';
import type { Program } from './program.ts';
import type { Refusal } from './refusal.ts';
import type { RequestName } from './resources.ts';
import type { MaintenanceWindow, QueueFacts, SiteState } from './site.ts';
import type { SiteDefaults, SiteRequests } from './site-requests.ts';

/** A walltime that is chosen by the risk of being killed by it, in place of a stated one. */
export interface AutoWalltime {
  /** Probability of being killed by it that its caller accepts. */
  readonly risk: number;
  /** What its caller would state otherwise: forecasts know it, and never more is asked for. Null where nobody knows. */
  readonly atMostSeconds: number | null;
}

/** A deadline by which a job is to have finished its work with a probability. */
export interface FinishBy {
  readonly at: EpochSeconds;
  /** At least, within (0, 1). */
  readonly probability: number;
}

/** What can be promised of the finish of one way to run a job. */
export interface OptionFinish {
  /** That it finishes by the deadline asked for. */
  readonly probability: number;
  /** The first moment by which the probability asked for can be promised; null for none. */
  readonly earliestAt: EpochSeconds | null;
}

/** What a caller wants run, reduced to what planning looks at. */
export interface PlanRequest extends PlanTerms, SiteRequests, Pick<NamedRequests, 'resources'> {
  /** For which the walltime is stated. */
  readonly processors: number;
  /** Of an automatic walltime any: every option has its own. */
  readonly walltimeSeconds: number;
  /** Absent or null for a job that runs at that size alone. */
  readonly sizes?: SizeChoice | null;
  /** Absent or null for a walltime that is stated. */
  readonly auto?: AutoWalltime | null;
  /** At every site; null where its queue at each is to be chosen. */
  readonly queue: string | null;
  /** The job must have ended by then; null for as soon as possible. */
  readonly deadlineAt: EpochSeconds | null;
  /** What is to be promised of its finish; absent or null for nothing. Goes without `deadlineAt`. */
  readonly finishBy?: FinishBy | null;
  /** Until when it may be held back before its submission; absent, or past, for not at all. */
  readonly holdBackUntil?: EpochSeconds;
  /** The same so that it does not start into a burst of its site's IO. */
  readonly avoidIoBurstsUntil?: EpochSeconds;
  /** The moment for which it is to be promised; absent for a job that starts when it can. */
  readonly startAt?: EpochSeconds;
  /** What it runs; absent where that is not told. */
  readonly program?: Program | undefined;
}

/** As whom a tenant's jobs come to a site. */
export interface CandidateIdentity {
  /** Its name. */
  readonly tenant: string;
  /** Null for the gateway's own account, undefined where the tenant needs one and has none. */
  readonly user: string | null | undefined;
  /** Why its account does not work at present; null where it does, as far as that is known. */
  readonly fault: FaultCode | null;
}

/** A site as the planner sees it. */
export interface CandidateSite {
  readonly siteId: string;
  readonly name: string;
  readonly state: SiteState;
  readonly processors: number;
  readonly queues: readonly QueueFacts[];
  /** What it has, by its admins: software, data; nothing unless told. */
  readonly tags?: readonly string[];
  /** Processors of nodes that are in service, as of its newest snapshot; absent or null where that is not known. */
  readonly usableProcessors?: number | null;
  readonly maintenance?: readonly MaintenanceWindow[];
  /** Absent or empty where it does not say. */
  readonly nodeShapes?: readonly NodeShape[];
  /** Absent or empty where it has none, or does not say. */
  readonly licences?: readonly LicenceCount[];
  /** What a job can ask of it by name beside processors and walltime; nothing unless told. */
  readonly honours?: readonly RequestName[];
  /** What its admins have set of jobs that do not say it; nothing unless told. */
  readonly defaults?: SiteDefaults;
  /** As whom jobs of whoever asks come there; absent where nobody in particular asks. */
  readonly identity?: CandidateIdentity;
  /** Null when nothing was ever observed there. */
  readonly observedAt: EpochSeconds | null;
  /** What shows that it is down, and since when; nothing unless told. */
  readonly downSigns?: readonly Pick<DownTimeEvidence, 'sign' | 'sinceAt'>[];
  /** What it refuses to whoever asks, at present; nothing unless told. */
  readonly refusals?: readonly Refusal[];
  /** How many waits are known of each of its queues; absent where that was not asked for. */
  readonly knownWaits?: Readonly<Record<string, number>>;
  /** Folders out of which callers may have files copied to their jobs; none unless told. */
  readonly stagingSources?: readonly string[];
  /** At which files of jobs were moved there lately; absent or null before the first. */
  readonly stagedBytesPerSecond?: number | null;
  /** Of whoever asks; none unless told. */
  readonly ownSizes?: readonly OwnSize[];
}

/** A start that a site puts off: batch systems start no job that might not have ended when a maintenance begins. */
export interface PutOff {
  /** The earliest start, once the windows in the way are over. */
  readonly startAt: EpochSeconds;
  /** The first one in the way. */
  readonly window: MaintenanceWindow;
  /** The same in a sentence. */
  readonly explanation: string;
}

/** One way to run a request: where, how large, for how long, and when it is handed in. */
export interface JobOption {
  readonly site: CandidateSite;
  /** Null where the site names none. */
  readonly queue: string | null;
  readonly processors: number;
  /** Asked of the site. */
  readonly walltimeSeconds: number;
  readonly submitAt: EpochSeconds;
}

/** Between which seconds a quantity lies with a probability; null beyond what history supports. */
export interface SecondsInterval {
  readonly probability: number;
  readonly lowSeconds: number | null;
  readonly highSeconds: number | null;
}

/** What is forecast of an option, in central intervals, the narrow one first; nothing where nothing is known. */
export interface OptionSpread {
  /** Of the wait after `submitAt`. */
  readonly wait: readonly SecondsInterval[];
  readonly runtime: readonly SecondsInterval[];
  /** From when it was planned to its end; a runtime that is not known is taken to be the walltime. */
  readonly finish: readonly SecondsInterval[];
  /** Middle of the same; null beyond what history supports. */
  readonly medianFinishSeconds: number | null;
}

/** One option's part in a plan: its forecast, its charge and, unless it was chosen, the reason it lost. */
export interface Candidate {
  readonly siteId: string;
  readonly siteName: string;
  readonly queue: string | null;
  readonly processors: number;
  /** Asked of the site, what is held before its own work included. */
  readonly walltimeSeconds: number;
  readonly submitAt: EpochSeconds;
  readonly charge: ChargeForecast;
  /** The wait after `submitAt`; null when the option was ruled out before it was forecast. */
  readonly forecast: WaitForecast | null;
  /** How long the work runs once it has started; null or absent where nobody was asked. */
  readonly runtime?: LiveRuntimeForecast | null;
  /** What can be promised of its finish; null or absent where that was not asked for, or it was ruled out. */
  readonly finish?: OptionFinish | null;
  /** Predicted seconds from when it was planned to its end; the smaller the better. Null without a forecast. */
  readonly responseSeconds: number | null;
  /**
   * By which it was compared, the smaller the better: seconds from when it was planned to its end or its start, or
   * processor-seconds, as the objective says. Null without a forecast; absent where options were not compared by one.
   */
  readonly score?: number | null;
  /** See `riskOf`; null or absent where it is not known. */
  readonly risk?: number | null;
  readonly spread?: OptionSpread | null;
  /** Probability that it ends before the chosen one; null or absent where that is not known, and of that one. */
  readonly beforeChosenProbability?: number | null;
  /**
   * Gain over all sites and sizes, from 0 to 1, the larger the better, see `gainScores`. Null without a forecast,
   * absent where a job runs at one size alone.
   */
  readonly gainScore?: number | null;
  /** Whether the job goes to that queue unasked; absent where no job was planned. */
  readonly isUsualQueue?: boolean;
  /**
   * The maintenance that would put off its predicted start; null or absent where none is in the way, or it was ruled
   * out.
   */
  readonly putOff?: PutOff | null;
  /** Processor-seconds the job is charged there at most. */
  readonly costProcessorSeconds: number;
  readonly lostBecause: LossReason | null;
  /** The reason in a sentence with its figures. */
  readonly explanation: string;
}

/** The chosen option, and every one that lost with its reason. */
export interface Plan {
  readonly madeAt: EpochSeconds;
  /** By which options were compared; absent where no job was planned. */
  readonly objective?: Objective;
  /** The winner, also listed among the candidates; null when no site can take the request. */
  readonly chosen: Candidate | null;
  readonly submitAt: EpochSeconds;
  readonly candidates: readonly Candidate[];
}

/** One candidate submission time of a virtual reservation. */
export interface TrajectoryPoint {
  readonly submitAt: EpochSeconds;
  /** The caller's walltime plus the lead time still to be held. */
  readonly walltimeSeconds: number;
  /** Probability of running at `startAt` when submitted then. */
  readonly probability: number;
  /** Seconds it is expected to hold processors before they are needed. */
  readonly expectedHoldSeconds: number;
}

/** Probability of running at `startAt` as a function of submission time, earliest first. */
export type Trajectory = readonly TrajectoryPoint[];

/** Processor-seconds a reservation will be charged. */
export interface ChargeForecast {
  /** What its site bills for each second of it, in processors; absent where that was not kept. */
  readonly billedProcessors?: number;
  /** The work at its walltime, which is the most that it can come to. */
  readonly neededProcessorSeconds: number;
  /** The work at the runtime that is expected of it; null or absent where nothing is known of that. */
  readonly expectedNeededProcessorSeconds?: number | null;
  /** Padding if the job starts the moment it is submitted. */
  readonly worstPaddingProcessorSeconds: number;
  /** Padding averaged over the forecast distribution of the start. */
  readonly expectedPaddingProcessorSeconds: number;
}
