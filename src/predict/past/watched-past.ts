import type { EpochSeconds } from '../../domain/clock.ts';
import type { JobRecord } from '../../domain/job.ts';
import type { SitePart } from '../../domain/site-part.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import { type Revelation, reveal, unstarted } from './reveal.ts';
import { Timeline } from './timeline.ts';

export interface WatchedPastOptions {
  /** Size of the machine. */
  readonly processors: number;
  /** What its snapshots tell of its parts; nothing unless told. */
  readonly parts?: readonly SitePart[] | undefined;
  /** Seconds between two snapshots. */
  readonly snapshotSeconds: number;
  /** Moment of the first snapshot; the first submission unless told. */
  readonly fromAt?: EpochSeconds;
  /**
   * Moment before which the last one is taken; that of the last revelation unless told. What is revealed later is told
   * all the same.
   */
  readonly untilAt?: EpochSeconds;
}

/** What a site's watcher would have seen next: something that became known, or the site as it looked. */
export type Sight =
  | { readonly kind: 'snapshot'; readonly at: EpochSeconds; readonly state: Snapshot }
  | (Revelation & {
      /** The site at that moment, before this is known of it. Only good until the next sight. */
      stateBefore(): Snapshot;
    });

/**
 * A site's past as somebody would have watched it who looks every so many seconds: what `reveal` tells, and between
 * that the snapshots, each with everything that happened at its moment. Nothing is shown before its time. Costs O(log
 * n) a sight, and a snapshot O(jobs at the site).
 */
export function* watchPast(
  records: readonly JobRecord[],
  { processors, parts, snapshotSeconds, fromAt = records[0]?.submitAt ?? 0, untilAt }: WatchedPastOptions,
): Generator<Sight> {
  const timeline = new Timeline(processors, parts);
  let nextSnapshotAt = fromAt;
  function* snapshotsUntil(at: EpochSeconds): Generator<Sight> {
    for (; nextSnapshotAt < at; nextSnapshotAt += snapshotSeconds) {
      yield { kind: 'snapshot', at: nextSnapshotAt, state: timeline.snapshotAt(nextSnapshotAt) };
    }
  }
  for (const one of reveal(records)) {
    yield* snapshotsUntil(Math.min(one.at, untilAt ?? one.at));
    yield { ...one, stateBefore: () => timeline.snapshotAt(one.at) };
    timeline.observe(one.kind === 'submit' ? unstarted(records[one.job] as JobRecord) : one.record);
  }
  if (untilAt !== undefined) yield* snapshotsUntil(untilAt);
}
