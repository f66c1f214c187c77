/** Why a candidate was not chosen. */
export const LOSS_REASONS = [
  'SLOWER',
  /** It starts later, where the earliest start was asked for. */
  'STARTS_LATER',
  /** Over its sites and sizes another option has the higher gain score. */
  'LOWER_GAIN',
  /** Other tasks of the array are given to it before. */
  'OTHER_TASKS_FIRST',
  'TOO_LARGE',
  'WALLTIME_BEYOND_LIMIT',
  'UNKNOWN_QUEUE',
  'DRAINING',
  'SUSPENDED',
  'STALE',
  'NEVER_OBSERVED',
  'MISSES_DEADLINE',
  /** It has refused this job, or jobs of its size, a short while ago. */
  'REFUSED',
  /** It has as many jobs of the tenant as it takes, by its own words of a short while ago. */
  'JOB_LIMIT',
  /** Its queue takes no jobs just now. */
  'QUEUE_DOWN',
  /** Its queue takes no jobs of ours. */
  'QUEUE_FORBIDDEN',
  /** It has as many processors, but not in service just now. */
  'TOO_FEW_USABLE',
  /**
   * The site has set processors aside: for the time of the promise, or the job could not have ended before and would
   * come to start later.
   */
  'MAINTENANCE',
  /** The walltime is to be chosen by a risk, and too little is known of how long such jobs run there. */
  'RUNTIME_UNKNOWN',
  /** Nothing is known of waits in that queue, which nobody named: it is taken only when no other can be. */
  'QUEUE_UNTRIED',
  /** There are more options than are compared. */
  'NOT_COMPARED',
  /** Submitted later it would not end so much sooner that holding it back is worth it. */
  'NOT_WORTH_DELAYING',
  /** It is charged more than the chosen one, where that decides. */
  'COSTLIER',
  /** It may be charged more than the caller pays. */
  'CHARGE_BEYOND_LIMIT',
  /** It may be killed by its walltime, or end after its deadline, with a larger probability than the caller accepts. */
  'RISK_BEYOND_LIMIT',
  /** Its site does not bear a tag that is required. */
  'MISSING_TAG',
  /** It asks for something by a name that its site does not honour, or for a file that it copies for nobody. */
  'NOT_HONOURED',
  /** Its site has not got what it asks for: nodes with so much memory, GPUs, features, licences. */
  'LACKS_RESOURCES',
  /** Every tenant has an account of its own at the site, and this one has none. */
  'NO_IDENTITY',
  /** The tenant's account there does not work just now. */
  'IDENTITY_FAULT',
  /** It cannot promise the reservation with the probability asked for. */
  'NO_PROMISE',
] as const;
export type LossReason = (typeof LOSS_REASONS)[number];

/** Of an option that could have been chosen, were there not a better one. */
export const OUTDONE: readonly LossReason[] = ['SLOWER', 'STARTS_LATER', 'LOWER_GAIN', 'COSTLIER', 'OTHER_TASKS_FIRST'];

/** Reasons that pass by themselves: a job may wait for that, a promise may not. */
const PASSING: readonly (LossReason | null)[] = [
  'STALE',
  'NEVER_OBSERVED',
  'SUSPENDED',
  'QUEUE_DOWN',
  'JOB_LIMIT',
  'TOO_FEW_USABLE',
  'IDENTITY_FAULT',
];

/** True when waiting may make the site eligible. */
export function isPassing(reason: LossReason | null): boolean {
  return PASSING.includes(reason);
}
