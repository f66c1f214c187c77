import { formatExactSeconds } from '../domain/duration.ts';
import type { CandidateSite, PlanRequest } from '../domain/plan.ts';
import type { Refusal, RefusalScope } from '../domain/refusal.ts';
import type { SiteTerms } from '../domain/resources.ts';
import { askedAt } from '../domain/site-requests.ts';
import { momentText } from './unusable.ts';

/** What jobs are called where they are counted. */
const KINDS = '(?:(?:interactive|active|running|waiting|pending|queued|submitted|concurrent|simultaneous) )*';

/**
 * How batch systems, and the rules that their admins write, say that they have as many jobs of a user, or in all, as
 * they take.
 */
const JOB_LIMIT_WORDS = new RegExp(
  [
    'MaxSubmitJob|MaxJobCount|submit limit|(?<!per )job limit|temporarily una(?:ble|vailable)|jobs are allowed',
    `(?:too many|(?:number|limit|quota|maximum) of) ${KINDS}jobs|jobs (?:quota|limit)|job quota`,
    `(?:most|more than|only|limited to|up to|of) \\d+ ${KINDS}jobs?\\b`,
    'would exceed(?!.*(?:walltime|time limit))|limit on (?:the )?number(?! of)',
  ].join('|'),
  'i',
);

/**
 * The word by which Slurm says which limit of a QOS or association a job is beyond. It alone decides: the sentence that
 * comes with every one of them names the job limit, too. Source: job_state_reason_string of Slurm.
 */
const LIMIT_WORD = /\b(?:QOS|Assoc)(?:Max|Min|Grp|Time|Usage)\w*/;
const LIMITS: readonly (readonly [RefusalScope, RegExp])[] = [
  ['JOB_LIMIT', /Submit|(?:Max|Grp)Jobs/],
  ['JOB', /Min(?!utes)|GRES|Mem|License|Billing|BB|Energy/],
  ['SIZE', /Cpu|Node|Wall|Time/i],
];

/** How admins say that a queue is for some, and not for who asks. */
const MEMBERS_ONLY_WORDS = new RegExp(
  [
    String.raw`\bonly (?:for |the |available (?:for|to) )*(?:members?|users?|groups?|root|admin\w*|staff)\b`,
    String.raw`\b(?:members?|users) of|not (?:a member|in (?:the )?group|eligible)|forbidden|no access|not have access`,
    String.raw`(?:restricted|reserved) (?:to|for) (?:the )?(?:members?|users?|groups?|admin\w*|staff)`,
    String.raw`(?:may|can) ?not (?:use|access|submit)|user id \d|(?:queue|partition) \S+ does not exist`,
  ].join('|'),
  'i',
);

/**
 * Words of batch systems, the first that fit decide. Sources: slurm_strerror, PBS's and Grid Engine's qsub, OAR's
 * admission rules.
 */
const WORDS: readonly (readonly [RefusalScope, RegExp])[] = [
  ['JOB_LIMIT', JOB_LIMIT_WORDS],
  [
    'QUEUE_DOWN',
    /partition not available|(?:partition|queue)\b.{0,60}\b(?:down|inactive|not ?active|drain\w*|disabled|not enabled|stopped|closed)/i,
  ],
  [
    'JOB',
    /script|interpreter|generic resource|gres|feature|dependency|job name|NUL|surrogate|resource is not allowed|than \d+ ?(?:gpus?|[kgt]i?b?|mi?b|bytes)\b/i,
  ],
  [
    'SIZE',
    /walltime.*not allowed|(?:more|er) than \d+(?::\d| ?(?:(?:processor|cpu|core|node|slot|second|minute|hour|day)s?|[smhd])\b)/i,
  ],
  [
    'QUEUE_FORBIDDEN',
    /\baccount\b|association|not permitted|permission|denied|unauthori[sz]ed|not ?allowed|not authori[sz]ed|invalid ?(?:account|qos|user|partition|group)|unknown queue|no such (?:queue|partition)|privilege|credential|\bproject\b|\bACL\b/i,
  ],
  ['QUEUE_FORBIDDEN', MEMBERS_ONLY_WORDS],
  [
    'SIZE',
    /processor|cpu|\bcores?\b|node count|\bnodes\b|limit|exceed|maximum|walltime|too (?:many|large|big|long)|\bsize\b|configuration/i,
  ],
];

/**
 * Whether a site says of a job that waits that it does not start it as it is: it is beyond a limit of each single job,
 * or its account or QOS may not be used there any more. Sites take such jobs in.
 */
export function startsNever(reason: string): boolean {
  return NEVER_WORDS.test(reason);
}

/** Sources: job_state_reason_string of Slurm; the comments of PBS's scheduler. */
const NEVER_WORDS =
  /^(?:(?:QOS|Assoc)(?:Max\w*Per(?:Job|Node)|Min)|PartitionTimeLimit|MaxMemPerLimit|BadConstraints|Invalid(?:Account|QOS)\b|(?:Account|QOS)NotAllowed|Can Never Run\b)/;

/** Words for a limit of one queue: the limit of a QOS is mostly its partition's, and PBS says so. */
const QUEUE_LIMIT_WORDS =
  /\bQOS(?:Max|Grp)|(?:\bin|\bfor|\bper|\bof|exceeds) (?:the |this )?(?:\S+ )?(?:queue|partition)\b|\b(?:queue|partition) \S+ per-/i;

/** Words for a limit of an account or of a user of it, whatever the queue. */
const ACCOUNT_LIMIT_WORDS = /\bAssoc(?:Max|Grp)/;

/**
 * Whether what a site refuses holds in every queue of it, by its words. A limit of jobs does where they leave that
 * open. The limit of a QOS does not: where that is the user's own, each other queue refuses one job more.
 */
export function holdsInEveryQueue(scope: RefusalScope, siteSays: string): boolean {
  if (scope === 'JOB_LIMIT') return !QUEUE_LIMIT_WORDS.test(siteSays);
  return scope === 'SIZE' && ACCOUNT_LIMIT_WORDS.test(siteSays);
}

/** What a job asks for by itself, as far as it may be refused for that alone. */
export interface OwnAsks {
  /** An account, a QOS or a reservation. */
  readonly namesTerms: boolean;
  /** Nodes, memory or anything else beside processors and walltime. */
  readonly namesResources: boolean;
}

/**
 * Whom a refusal is about, by the site's words. Where they leave that open, or are about what the job itself has named,
 * it is this job alone: nobody is shut out for a neighbour's mistake, and the next job tries for itself.
 */
export function scopeOfRefusal(siteSays: string, asks: OwnAsks = NO_ASKS): RefusalScope {
  const [limit] = LIMIT_WORD.exec(siteSays) ?? [];
  const scope = limit === undefined ? firstFit(WORDS, siteSays) : firstFit(LIMITS, limit);
  const isOfTerms = scope === 'QUEUE_FORBIDDEN' && asks.namesTerms && TERM_WORDS.test(siteSays);
  const isOfResources = scope === 'SIZE' && asks.namesResources && RESOURCE_WORDS.test(limit ?? siteSays);
  return isOfTerms || isOfResources ? 'JOB' : scope;
}

function firstFit(words: typeof WORDS, siteSays: string): RefusalScope {
  return words.find(([, pattern]) => pattern.test(siteSays))?.[0] ?? 'JOB';
}

const NO_ASKS: OwnAsks = { namesTerms: false, namesResources: false };
const TERM_WORDS = /account|association|qos|reservation/i;
const RESOURCE_WORDS = /node|configuration|resource/i;

/** The refusal that keeps a request from a site's queue; null for none. */
export function findRefusal(request: PlanRequest, queue: string | null, site: CandidateSite): Refusal | null {
  const { refusals = [] } = site;
  if (refusals.length === 0) return null;
  const { terms } = askedAt(request, site);
  return (
    refusals.find((refusal) => {
      if (refusal.queue !== null && refusal.queue !== queue) return false;
      if (!isOnTerms(refusal, terms) || hasRoomAgain(refusal)) return false;
      return refusal.scope !== 'SIZE' || isAsLarge(request, refusal);
    }) ?? null
  );
}

/** Whether a refusal is about jobs on some terms: those on which it was made, of a queue that is down any. */
export function isOnTerms({ scope, account, qos }: Refusal, terms: SiteTerms = {}): boolean {
  if (scope === 'QUEUE_DOWN') return true;
  return isTerm(account, terms.account) && isTerm(qos, terms.qos);
}

function isTerm(refused: string | undefined, asked = ''): boolean {
  return refused === undefined || refused === asked;
}

/** Whether a site that refused one more job has fewer of them since. */
export function hasRoomAgain({ scope, mostJobs, presentJobs = 0 }: Refusal): boolean {
  return scope === 'JOB_LIMIT' && presentJobs < (mostJobs ?? 0);
}

/** A refusal in a sentence, with whom it keeps out and until when. */
export function describeRefusal(refusal: Refusal, name: string): string {
  const { scope, queue, processors, walltimeSeconds, mostJobs, siteSays, until } = refusal;
  const where = queue === null ? name : `queue ${queue} of ${name}`;
  const untilWhen = `until ${momentText(until)}`;
  const words = JSON.stringify(siteSays);
  if (scope === 'JOB') return `${name} has refused this job: ${words}; it is not handed there again ${untilWhen}`;
  if (scope === 'SIZE') {
    const size = `${processors} processors and ${formatExactSeconds(walltimeSeconds)} or more`;
    return `${where} has refused a job of that size: ${words}; none of ${size} is handed there ${untilWhen}`;
  }
  if (scope === 'JOB_LIMIT') {
    const next = mostJobs
      ? `the next goes there when one of ${mostJobs} has ended, or after ${momentText(until)}`
      : `none is handed there ${untilWhen}`;
    return `${where} has as many of this tenant's jobs as it takes: ${words}; ${next}`;
  }
  const whose = scope === 'QUEUE_FORBIDDEN' ? "this tenant's jobs" : 'jobs';
  return `${where} refuses ${whose}: ${words}; none is handed there ${untilWhen}`;
}

function isAsLarge(request: PlanRequest, { processors, walltimeSeconds }: Refusal): boolean {
  return request.processors >= processors && request.walltimeSeconds >= walltimeSeconds;
}
