import type { Candidate } from '../../domain/plan.ts';

/** When a job is expected to end that runs in the best way of one size at one site. */
export interface SizeFinish {
  readonly siteId: string;
  readonly queue: string | null;
  readonly processors: number;
  readonly walltimeSeconds: number;
  /** Middle of its forecast, in seconds from when it was planned; the predicted response where there is none. */
  readonly finishSeconds: number;
  /** Within which it lies with a probability of 90 %; null beyond what history supports. */
  readonly lowSeconds: number | null;
  readonly highSeconds: number | null;
  /** At its walltime, expected padding included. */
  readonly chargeProcessorSeconds: number;
  readonly isChosen: boolean;
}

/** What is needed of an option; what plans lack that were made before it was kept is absent. */
export type SizedCandidate = Pick<
  Candidate,
  'siteId' | 'queue' | 'responseSeconds' | 'costProcessorSeconds' | 'lostBecause' | 'spread'
> &
  Partial<Pick<Candidate, 'processors' | 'walltimeSeconds'>>;

/**
 * The finish of a job against its size: of every site and size the option with the smallest predicted response, the
 * chosen one where that is among them, by size and then in the order given. Options that could not be forecast are left
 * out, whatever else kept them from being chosen.
 */
export function finishBySize(candidates: readonly SizedCandidate[]): SizeFinish[] {
  const best = new Map<string, SizeFinish & { readonly responseSeconds: number }>();
  for (const candidate of candidates) {
    const made = finishOf(candidate);
    if (!made) continue;
    const key = `${made.siteId} ${made.processors}`;
    const known = best.get(key);
    if (!known || made.isChosen || (!known.isChosen && made.responseSeconds < known.responseSeconds))
      best.set(key, made);
  }
  return [...best.values()]
    .sort((a, b) => a.processors - b.processors)
    .map(({ responseSeconds: _response, ...finish }) => finish);
}

function finishOf(candidate: SizedCandidate): (SizeFinish & { readonly responseSeconds: number }) | null {
  const { siteId, queue, processors, walltimeSeconds, responseSeconds, spread, lostBecause } = candidate;
  if (processors === undefined || walltimeSeconds === undefined || responseSeconds === null) return null;
  const widest = spread?.finish.at(-1);
  return {
    siteId,
    queue,
    processors,
    walltimeSeconds,
    finishSeconds: spread?.medianFinishSeconds ?? responseSeconds,
    lowSeconds: widest?.lowSeconds ?? null,
    highSeconds: widest?.highSeconds ?? null,
    chargeProcessorSeconds: candidate.costProcessorSeconds,
    isChosen: lostBecause === null,
    responseSeconds,
  };
}
