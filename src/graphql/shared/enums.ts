import { CHECKED_VERBS } from '../../commands/check-site.ts';
import { CHARGE_KINDS, type ChargeKind } from '../../domain/charge.ts';
import { CO_ALLOCATION_RULES, CO_ALLOCATION_STATES, LEG_MISS_POLICIES } from '../../domain/co-allocation.ts';
import { DEPENDENCY_CONDITIONS } from '../../domain/dependency.ts';
import { DOWN_TIME_SIGNS } from '../../domain/down-time.ts';
import { EXECUTION_OUTCOMES, EXECUTION_STATES } from '../../domain/execution.ts';
import { CALLER_ERROR_CODES, FAULT_CODES } from '../../domain/failures.ts';
import { SPEEDUP_MODELS } from '../../domain/job-sizes.ts';
import { RANGE_QUANTITIES } from '../../domain/known-range.ts';
import { RESERVATION_MODES, RESERVATION_STATES } from '../../domain/reservation.ts';
import { QUEUE_BARS, SITE_STATES } from '../../domain/site.ts';
import { SUBMISSION_STATES } from '../../domain/submission.ts';
import { SIZE_STEPS } from '../../plan/job/sizes.ts';
import { defineEnum, type EnumObject } from './define-enum.ts';

export const RoleEnum = defineEnum('Role', ['GATEWAY', 'WORKFLOW', 'ADMIN'], 'What a caller may do.', {
  GATEWAY: 'Jobs, plans and forecasts.',
  WORKFLOW: 'What a gateway may, and reservations and co-allocations.',
  ADMIN: 'Everything, sites and their history included.',
});

export const CallerErrorCodeEnum = defineEnum(
  'CallerErrorCode',
  CALLER_ERROR_CODES,
  'Why a request was not carried out. Nothing has changed then, unless its code says otherwise. Sending the same again helps only where that is said.',
  {
    INVALID: 'A value is missing, malformed or out of range.',
    NOT_FOUND: 'There is no such thing among those the caller may see.',
    UNAUTHENTICATED: 'The bearer token is missing, unknown, expired or revoked.',
    FORBIDDEN: "The token's role does not carry the right.",
    IN_FLIGHT: 'A call with the same idempotency key is being carried out. Send it again in a moment for its answer.',
    ALREADY_ENDED: 'There is nothing left to cancel. Sending it again does not help.',
    NAME_TAKEN: 'Something else has that name. Choose another one.',
    SITE_CHANGED: 'The site that it was to go to takes no new work since a moment ago. Send it again for another one.',
    IDEMPOTENCY_MISMATCH: 'The idempotency key was used for another call.',
    NO_ELIGIBLE_SITE: 'No allowed site can take it.',
    PROMISE_REFUSED: 'No site reaches the probability asked for; see the best offer.',
    PADDING_TOO_HIGH:
      'The probability asked for would cost more padding than is paid unasked; see the best offer, or allow more by maxPaddingProcessorSeconds.',
    STALE_SITE: 'What is known of the sites is too old to promise anything. Send it again when they answer.',
    SUSPENDED_SITE:
      'The sites that could take it are taken to be down; nothing is promised there until they are up. Send it again then.',
    BUSY: 'Too much of your tenant is being forecast or followed at once. Send it again when some of that is done.',
    NO_FILE_TRANSPORT: 'Nothing reads or moves files at that site.',
    OUTPUT_GONE: 'What a job has written cannot be had any more.',
    SITE_FAULT: 'The site did not answer, or not as it should. Send it again in a moment.',
    DEADLINE_EXCEEDED:
      'It took too long and was given up. A change may have been made; send it again with the same idempotency key.',
  },
);

export const WalltimeChoiceEnum = defineEnum('WalltimeChoice', ['STATED', 'AUTO'], 'Who chooses a walltime.', {
  STATED: 'The caller, by walltimeSeconds.',
  AUTO: 'We do, for the site that it goes to: the shortest that kills it with a probability of at most walltimeRisk, by what is forecast of its runtime there.',
});

export const SizeStepsEnum = defineEnum('SizeSteps', SIZE_STEPS, 'Which sizes of a range are meant.', {
  POWERS_OF_TWO: '1, 2, 4, 8 and so on, as far as they lie in it.',
  ALL: 'Every one.',
});

export const SpeedupModelEnum = defineEnum(
  'SpeedupModel',
  SPEEDUP_MODELS,
  'How much faster a job runs on more processors.',
  {
    AMDAHL: "Amdahl's law: a share of the work never runs in parallel.",
    DOWNEY: "Downey's model: the parallelism has an average and a variance.",
  },
);

export const SiteVerbEnum = defineEnum('SiteVerb', CHECKED_VERBS, 'What a site is asked when it is checked.', {
  facts: 'Its processors and queues.',
  snapshot: 'Its whole queue at one moment.',
  history: 'Its accounting.',
  find: 'A job by our key; none bears the one that is asked for.',
  inspect: 'The states of jobs; none is named.',
});

export const VerbResultEnum = defineEnum('VerbResult', ['ANSWERED', 'FAILED', 'NOT_TRIED'], 'How it went.', {
  NOT_TRIED: 'The site has no such thing.',
});

export const QueueBarEnum = defineEnum(
  'QueueBar',
  QUEUE_BARS,
  'Why our jobs do not start in a queue, whatever their size.',
  {
    DOWN: 'It takes or starts no jobs.',
    FORBIDDEN: 'It takes none of ours, or none of those that leave `barredTerm` to the site.',
  },
);

export const SiteStateEnum = defineEnum('SiteState', SITE_STATES, 'Whether a site is given work.', {
  ACTIVE: 'It takes new work.',
  DRAINING: 'It finishes what it has and takes nothing new.',
  REMOVING: 'It is removed, or will be as soon as nothing of ours is there.',
  SUSPENDED: 'It is taken to be down: nothing is promised there until it is up.',
});

export const SiteFaultCodeEnum = defineEnum('SiteFaultCode', FAULT_CODES, 'What is wrong with a site.', {
  UNREACHABLE: 'It cannot be reached.',
  TIMED_OUT: 'It did not answer in time.',
  NO_ANSWER: 'The connection broke before it had answered.',
  AUTHENTICATION: 'It does not accept our identity.',
  HOST_KEY: 'Its host key is not the one on record. Compare it and correct `knownHostsFile`.',
  REFUSED: 'It refused what it was asked.',
  GARBLED: 'Its answer cannot be understood.',
  TOO_LARGE: 'Its answer is larger than it may be.',
  CLOCK_SKEW: 'Its clock is too far from ours.',
  BUSY: 'It takes no more for now.',
  MISCONFIGURED: 'It cannot be used as it is configured.',
  ADAPTER_FAILED: 'Its adapter failed.',
});

export const DownTimeSignEnum = defineEnum(
  'DownTimeSign',
  DOWN_TIME_SIGNS,
  'What a site shows that is taken to be down.',
  {
    UNREACHABLE: 'It has not answered for a while.',
    NO_STARTS: 'Jobs wait and none starts, for longer than is usual there.',
    GROWING_WAITS:
      'Of the jobs that start, each waited longer than the one before, more often in a row than is usual there.',
  },
);

export const JobStateEnum = defineEnum('JobState', EXECUTION_STATES, 'Where a job is in its life.', {
  REQUESTED: 'Written down, not planned yet.',
  HELD: 'Its site and submission time are chosen, and that time has not come; or it waits for the jobs that it comes after.',
  SUBMITTING: 'It is being handed to its site.',
  QUEUED: 'The site has accepted it.',
  RUNNING: 'It holds processors.',
  ENDED: 'Nothing of it can hold processors any more.',
});

export const JobOutcomeEnum = defineEnum('JobOutcome', EXECUTION_OUTCOMES, 'How a job ended.', {
  REJECTED: 'The site refused it for good, or no site could take it.',
  LOST: 'Queue and accounting agree that they do not know it any more, or its site was removed by force and cannot be asked.',
  STAGING_FAILED: 'A file that it needs could not be moved to its site; nothing was submitted.',
});

export const DependencyConditionEnum = defineEnum(
  'DependencyCondition',
  DEPENDENCY_CONDITIONS,
  'What must have become of a job before one that comes after it begins.',
  {
    ANY_END:
      'It has ended, however, and its outputs are moved or given up. Where nobody can know its end the successor is cancelled.',
    SUCCESS: 'It has completed, and all its outputs are moved. When it ends otherwise the successor is cancelled.',
  },
);

export const SubmissionStateEnum = defineEnum(
  'SubmissionState',
  SUBMISSION_STATES,
  'What became of one attempt to hand a job to its site.',
  {
    INTENDED: 'The intent is on record; whether a job exists there is not known yet.',
    ACCEPTED: 'The site has exactly one job of it.',
    REJECTED: 'The site said no, or took the job in and never started it.',
    ABSENT: 'Queue and accounting answered and neither has it.',
    WITHDRAWING:
      'The site is asked to give the job back: it seems to be down, never starts it, or is too late for its deadline.',
    WITHDRAWN: 'The site gave the job back before it had started.',
    RELEASING: 'The job started so early that holding its processors is not worth it, and is asked to end.',
    RELEASED: 'The job gave its processors back before its own work began; another attempt follows.',
  },
);

export const ReservationStateEnum = defineEnum(
  'ReservationState',
  RESERVATION_STATES,
  'Where a promise is in its life.',
  {
    PROMISED: 'The submission time is chosen and the promise stands.',
    SUBMITTED: 'The padded job was handed to the site.',
    HOLDING: 'It runs early and holds its processors until its moment.',
    KEPT: 'It was running at its start time.',
    MISSED: 'It was not.',
    CANCELLED: 'By the caller, or because another leg won.',
  },
);

export const ReservationModeEnum = defineEnum(
  'ReservationMode',
  RESERVATION_MODES,
  'What a reserved job does when it starts early.',
  {
    HOLD: 'It holds its processors until its start time.',
    WINDOW: 'It holds them until the window opens.',
    BEST_EFFORT: 'It begins at once.',
  },
);

export const MissPolicyEnum = defineEnum(
  'MissPolicy',
  ['CANCEL', 'RUN_LATE'],
  'What becomes of a reserved job that has not started at its start time, and of one that has not finished as promised.',
  { CANCEL: 'It is cancelled.', RUN_LATE: 'It goes on, and runs when it can.' },
);

export const CoAllocationRuleEnum = defineEnum(
  'CoAllocationRule',
  CO_ALLOCATION_RULES,
  'How many legs must be running.',
  {
    ALL: 'Every one.',
    ANY: 'One; the others are cancelled.',
    AT_LEAST: 'At least as many as `atLeast` says; the others are cancelled.',
  },
);

export const LegMissPolicyEnum = defineEnum(
  'LegMissPolicy',
  LEG_MISS_POLICIES,
  'What is done about the legs of a co-allocation that have missed.',
  {
    CANCEL_ALL: 'When the rule can no longer be met the other legs are cancelled.',
    GO_ON: 'When the rule can no longer be met the other legs run on.',
    REPLACE: 'A missed leg is replaced at another site while there is time; then all are cancelled.',
  },
);

export const CoAllocationStateEnum = defineEnum(
  'CoAllocationState',
  CO_ALLOCATION_STATES,
  'Where a group is in its life.',
  {
    PENDING: 'Not decided yet.',
    SUCCEEDED: 'Enough legs were running.',
    FAILED: 'Too few could be.',
    CANCELLED: 'By its caller.',
  },
);

export const ChargeKindEnum: EnumObject<ChargeKind> = defineEnum(
  'ChargeKind',
  CHARGE_KINDS,
  'What processor-seconds were spent on.',
  {
    NEEDED: "The caller's own work.",
    PADDING: 'Processors held before the start time.',
    LOST: 'Legs that were cancelled because another one won, and runs that the site took back to start the job anew.',
  },
);

export const RangeQuantityEnum = defineEnum(
  'RangeQuantity',
  RANGE_QUANTITIES,
  'What of a site is compared with what was learned of it.',
  {
    WAITING_JOBS: 'Jobs that wait.',
    WAITING_PROCESSORS: 'Processors that the jobs that wait ask for.',
    ARRIVALS: 'Jobs that came within the last hour and are still there.',
    WAITS: 'Seconds that half of the jobs that wait, or started in the last three hours, have waited so far.',
    LATENESS: 'How many times as long as forecast submissions of the last hours would have waited.',
  },
);

export const OfferKindEnum = defineEnum(
  'OfferKind',
  ['PROMISE', 'REFUSAL'],
  'Whether a reservation would be promised.',
);

export const HistoryFormatEnum = defineEnum('HistoryFormat', ['SWF', 'CSV', 'SACCT'], 'Format of a log.', {
  SWF: 'Standard Workload Format.',
  CSV: 'Accounting with named columns: jobid, user, group, account, jobname, queue, qtime or submit, start, end, procs, req_walltime, exit_status, used_cput, used_mem, read_bytes, written_bytes; submit and procs at least.',
  SACCT: 'What `sacct -P` writes, with Submit, Start, End and AllocCPUS.',
});
