import type { JournalEntry } from '../../adapters/simulator/journal.ts';

/**
 * How many native jobs each execution had that were not cancelled before its next one was submitted, by its id without
 * dashes: one, unless it was doubled. A promise that leaves a site, or gives back processors that it held too early,
 * has several jobs one after another. One that waited to be told to begin, and never was, does not count.
 * @param journals of each site its own
 */
export function countJobsInForce(journals: readonly (readonly JournalEntry[])[]): Map<string, number> {
  const jobs = new Map<string, { submittedAt: number; cancelledAt: number }[]>();
  for (const entries of journals) {
    const cancelledAt = new Map(
      entries.flatMap((entry) => (entry.kind === 'cancel' ? [[entry.nativeId, entry.at] as const] : [])),
    );
    const told = new Set(entries.flatMap((entry) => (entry.kind === 'begin' ? [entry.nativeId] : [])));
    for (const entry of entries) {
      if (entry.kind !== 'submit') continue;
      if (entry.behaviour.gateSeconds !== undefined && !told.has(entry.nativeId)) continue;
      const executionId = entry.key.split('-')[1] ?? '';
      const job = { submittedAt: entry.at, cancelledAt: cancelledAt.get(entry.nativeId) ?? Number.POSITIVE_INFINITY };
      jobs.set(executionId, [...(jobs.get(executionId) ?? []), job]);
    }
  }
  return new Map([...jobs].map(([executionId, ofOne]) => [executionId, countInForce(ofOne)]));
}

function countInForce(jobs: { submittedAt: number; cancelledAt: number }[]): number {
  const inOrder = jobs.sort((a, b) => a.submittedAt - b.submittedAt);
  return inOrder.filter(({ cancelledAt }, n) => cancelledAt > (inOrder[n + 1]?.submittedAt ?? Number.NEGATIVE_INFINITY))
    .length;
}
