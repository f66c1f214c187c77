import type { EpochSeconds } from '../../domain/clock.ts';
import type { Predecessor } from '../../domain/dependency.ts';
import type { ExecutionOutcome } from '../../domain/execution.ts';

/**
 * What the jobs that a job comes after mean for it now: it may go on, since the last of them ended; it waits for some
 * of them; or it never comes to its turn. The latter two with a reason in a sentence that names them.
 */
export type PredecessorsMean =
  | { readonly kind: 'GO'; readonly readyAt: EpochSeconds }
  | { readonly kind: 'WAIT'; readonly reason: string }
  | { readonly kind: 'NEVER'; readonly reason: string };

/**
 * Whether a job may begin that comes after others. One whose end nobody knows, its site being gone, may run to this
 * day: what comes after it never begins, whatever its condition.
 */
export function whatPredecessorsMean(predecessors: readonly Predecessor[]): PredecessorsMean {
  const unmet = predecessors.filter(isNeverMet);
  const [first] = unmet;
  if (first) return { kind: 'NEVER', reason: `its predecessor "${first.name}" ${whatBecameOf(first)}` };
  const open = predecessors.filter((predecessor) => !isOver(predecessor));
  if (open.length > 0) return { kind: 'WAIT', reason: `it waits for ${namesOf(open)}` };
  return { kind: 'GO', readyAt: Math.max(...predecessors.map(({ endedAt }) => endedAt ?? Number.NEGATIVE_INFINITY)) };
}

/** Whether a job that another one comes after has ended as it must. */
export function isMet(predecessor: Predecessor): boolean {
  return isOver(predecessor) && !isNeverMet(predecessor);
}

/** Its outputs are part of it: who comes after it may need them. */
function isOver({ state, areOutputsMoving }: Predecessor): boolean {
  return state === 'ENDED' && !areOutputsMoving;
}

/**
 * How long after the last end of those that it comes after the work of a job began; null until it has begun, and for
 * one that comes after none.
 * @param beganAt when it began; null until it has
 */
export function gapSeconds(
  beganAt: EpochSeconds | null,
  predecessors: readonly Pick<Predecessor, 'endedAt'>[],
): number | null {
  if (beganAt === null || predecessors.length === 0) return null;
  return beganAt - Math.max(...predecessors.map(({ endedAt }) => endedAt ?? Number.POSITIVE_INFINITY));
}

function isNeverMet({ state, outcome, endedAt, condition, lostOutput }: Predecessor): boolean {
  if (state !== 'ENDED') return false;
  return endedAt === null || (condition === 'SUCCESS' && (outcome !== 'COMPLETED' || lostOutput !== null));
}

function whatBecameOf({ outcome, endedAt, lostOutput }: Predecessor): string {
  if (outcome === 'COMPLETED' && endedAt !== null) return `completed, but its output ${lostOutput} could not be moved`;
  if (outcome === 'LOST') {
    return endedAt === null ? 'was lost: nobody knows whether it has ended' : 'was lost by its site';
  }
  return `failed: ${OUTCOMES[outcome ?? 'FAILED']}`;
}

function namesOf(open: readonly Predecessor[]): string {
  const named = open
    .slice(0, MOST_NAMES)
    .map(({ name, state, condition }) => `the ${state === 'ENDED' ? 'outputs' : ENDS[condition]} of "${name}"`);
  const others = open.length - named.length;
  return [...named, ...(others > 0 ? [`${others} more`] : [])].join(' and ');
}

const ENDS = { ANY_END: 'end', SUCCESS: 'success' } as const;
const OUTCOMES: Readonly<Record<ExecutionOutcome, string>> = {
  COMPLETED: 'it completed',
  FAILED: 'its work failed',
  CANCELLED: 'it was cancelled',
  TIMEOUT: 'it was killed by its walltime',
  NODE_FAIL: 'its node failed',
  PREEMPTED: 'it was preempted',
  OUT_OF_MEMORY: 'it ran out of memory',
  REJECTED: 'no site took it',
  LOST: 'it was lost',
  STAGING_FAILED: 'its files could not be moved',
};
const MOST_NAMES = 3;
