import type { CandidateSite, PlanRequest } from '../../domain/plan.ts';
import type { QueueFacts } from '../../domain/site.ts';
import { askedAt } from '../../domain/site-requests.ts';
import { isBarred } from '../unusable.ts';
import { findLacking } from './lacking.ts';

/**
 * The queues of a site that a request may be run in when it names none: first the one that it would go to otherwise,
 * then those that take our jobs and allow its stated size and walltime, the best known first, then the others, which
 * are kept for their reasons.
 * @param most of them that are kept
 */
export function queuesOf(
  first: string,
  request: SizedJob,
  site: CandidateSite,
  most: number,
): { kept: string[]; cut: string[] } {
  const rankOf = (queue: QueueFacts) => (queue.name === first ? 0 : admits(queue, request, site) ? 1 : 2);
  const knownOf = ({ name }: QueueFacts) => site.knownWaits?.[name] ?? 0;
  const ranked = [...site.queues].sort(
    (a, b) => rankOf(a) - rankOf(b) || knownOf(b) - knownOf(a) || (a.name < b.name ? -1 : 1),
  );
  const names = ranked.map(({ name }) => name);
  return { kept: names.slice(0, most), cut: names.slice(most) };
}

type SizedJob = Pick<PlanRequest, 'processors' | 'walltimeSeconds' | 'resources' | 'queue' | 'sites' | 'terms'>;

function admits(queue: QueueFacts, request: SizedJob, site: CandidateSite): boolean {
  const { processors, walltimeSeconds } = request;
  const { maxProcessors, maxWalltimeSeconds } = queue;
  const allows =
    processors <= (maxProcessors ?? processors) && walltimeSeconds <= (maxWalltimeSeconds ?? walltimeSeconds);
  return !isBarred(queue, askedAt(request, site).terms) && allows && findLacking(request, queue, site) === null;
}

/**
 * Whether too little is known of a queue for it to be compared with others: nobody named it, it is not the one that a
 * job goes to unasked, and next to no wait in it is known.
 */
export function isUntried(
  { queue: asked }: Pick<PlanRequest, 'queue'>,
  queue: string | null,
  first: string | null,
  { knownWaits }: CandidateSite,
): boolean {
  if (asked !== null || queue === null || queue === first || !knownWaits) return false;
  return (knownWaits[queue] ?? 0) < FEWEST_KNOWN_WAITS;
}

/** Fewer known waits of a queue tell nothing of it. */
export const FEWEST_KNOWN_WAITS = 10;
