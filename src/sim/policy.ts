import type { JobColumns } from './job-table.ts';

/**
 * How a cluster picks the next job. `rank` orders the queue, smallest first, null for the order of arrival; ties go to
 * the earlier arrival. `backfill` says who may pass a head job that does not fit: nobody, whoever does not delay the
 * head (`easy`: Lifka 1995; Mu'alem & Feitelson 2001, IEEE TPDS 12(6), section 3), or whoever delays nobody at all
 * (`conservative`, ibid.). `easy-sjbf` backfills the shortest first: with runtimes predicted from a user's last two
 * jobs it is EASY++ (Tsafrir et al. 2007, IEEE TPDS 18(6), section 5).
 */
export interface Policy {
  readonly name: string;
  readonly backfill: 'none' | 'easy' | 'conservative';
  readonly rank: Rank | null;
  /** Orders those whom backfilling may start, likewise; by `rank` unless told. With `easy` alone. */
  readonly backfillRank?: Rank;
}

/** Where a waiting job stands, the smallest first. */
export type Rank = (columns: JobColumns, job: number, now: number) => number;

const byBelievedRuntime = (columns: JobColumns, job: number) => columns.believedSeconds[job] as number;

/**
 * WFP3 of the Cobalt scheduler: (wait / requested)^3 x size, largest first, with what is believed of a job's runtime in
 * place of what it requests. Tang et al. 2009, Cluster, section 3; 2013, JPDC 73(7), section 5.
 */
function byWaitedShare(columns: JobColumns, job: number, now: number): number {
  const share = (now - (columns.submitAt[job] as number)) / (columns.believedSeconds[job] as number);
  return -share * share * share * (columns.processors[job] as number);
}

export const POLICIES = {
  fcfs: { name: 'fcfs', backfill: 'none', rank: null },
  easy: { name: 'easy', backfill: 'easy', rank: null },
  conservative: { name: 'conservative', backfill: 'conservative', rank: null },
  sjf: { name: 'sjf', backfill: 'none', rank: byBelievedRuntime },
  'sjf-easy': { name: 'sjf-easy', backfill: 'easy', rank: byBelievedRuntime },
  'easy-sjbf': { name: 'easy-sjbf', backfill: 'easy', rank: null, backfillRank: byBelievedRuntime },
  wfp: { name: 'wfp', backfill: 'easy', rank: byWaitedShare },
} as const satisfies Record<string, Policy>;

export type PolicyName = keyof typeof POLICIES;
export const POLICY_NAMES = Object.keys(POLICIES) as [PolicyName, ...PolicyName[]];

/** The policy of a name, blanks around it left out. @throws RangeError for one that there is not */
export function policyNamed(name: string): PolicyName {
  const known = POLICY_NAMES.find((policy) => policy === name.trim());
  if (!known) throw new RangeError(`no policy ${name}; there are ${POLICY_NAMES.join(', ')}`);
  return known;
}

/**
 * What happens first when several events share a moment. `ends-first`: all ends, all submissions, one scheduling pass.
 * `pyss`: jobs that end exactly as expected count as free at once; submissions one by one, each followed by a pass;
 * then ends one by one in start order, each followed by a pass.
 */
export const TIE_RULES = ['ends-first', 'pyss'] as const;
export type TieRule = (typeof TIE_RULES)[number];
