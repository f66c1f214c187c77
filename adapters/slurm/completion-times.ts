import type { EpochSeconds } from '../../src/domain/clock.ts';

/** When a run was submitted, began (null where it never did) and ended: as written, or as moments. */
export interface RunTimes<Time> {
  readonly submit: Time;
  readonly start: Time | null;
  readonly end: Time;
}

/**
 * Finds the moments of local times, of which those of one hour come twice where clocks are set back. Runs are written
 * in the order of their ends, so an end far before the latest one is of the second time; so is one before its run's
 * submission or start. Of submissions and starts the last fits that is not after what follows it.
 */
export class CompletionTimes {
  private latestEnd = Number.NEGATIVE_INFINITY;

  /**
   * @param momentsOf all moments of a local time, the first ones first
   * @param now after which nothing has ended
   */
  constructor(
    private readonly momentsOf: (localTime: string) => readonly EpochSeconds[],
    private readonly now: EpochSeconds,
  ) {}

  /** The moments of the next run of the file. */
  read({ submit, start, end }: RunTimes<string>): RunTimes<EpochSeconds> {
    const submits = this.momentsOf(submit);
    const starts = start === null ? null : this.momentsOf(start);
    const earliestStart = firstFrom(starts ?? submits, submits[0] ?? 0);
    const from = Math.max(earliestStart, this.latestEnd - WRITTEN_LATE_SECONDS);
    const ends = this.momentsOf(end);
    const endAt = firstFrom(ends.length > 1 ? ends.filter((at) => at <= this.now) : ends, from, ends[0]);
    this.latestEnd = Math.max(this.latestEnd, endAt);
    const startAt = starts && lastUntil(starts, endAt);
    return { submit: lastUntil(submits, startAt ?? endAt), start: startAt, end: endAt };
  }
}

/** So long after a run's end, while its nodes are cleaned, its line may be written. */
const WRITTEN_LATE_SECONDS = 600;

function firstFrom(moments: readonly EpochSeconds[], from: EpochSeconds, otherwise = moments[0]): EpochSeconds {
  return moments.find((at) => at >= from) ?? moments.at(-1) ?? otherwise ?? 0;
}

function lastUntil(moments: readonly EpochSeconds[], until: EpochSeconds): EpochSeconds {
  return moments.findLast((at) => at <= until) ?? moments[0] ?? 0;
}
