import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { JobRecord } from '../../src/domain/job.ts';
import type { HistoryPage } from '../../src/domain/site-adapter.ts';
import { isTooMuch } from './failures.ts';

/** The time whose ends are read at once. */
export interface Window {
  readonly since: EpochSeconds;
  readonly until: EpochSeconds;
  /** Whether jobs come with their steps. */
  readonly withSteps: boolean;
}

/**
 * Cuts a site's history into windows of ends. They overlap, because an end may become known late; they grow and shrink
 * with what the site can say in one answer; where even the shortest is too much the steps of jobs are left out. After
 * accounting was away the next windows begin where it was lost until what the controller kept for it has had time to
 * arrive.
 */
export class HistoryWindow {
  private spanSeconds = FIRST_SPAN_SECONDS;
  private withSteps = true;
  private lostAt: EpochSeconds | null = null;
  private backAt: EpochSeconds | null = null;

  constructor(
    private readonly lagSeconds: number,
    private readonly longestSeconds: number,
  ) {}

  /** Reads one window from `since` on. What `readWindow` throws is passed on. */
  async read(
    since: EpochSeconds,
    now: EpochSeconds,
    readWindow: (window: Window) => Promise<JobRecord[]>,
  ): Promise<HistoryPage> {
    const from = Math.max(since, now - this.longestSeconds);
    for (;;) {
      const until = Math.min(now, from + this.spanSeconds);
      try {
        const records = await readWindow({
          since: from - this.lagSeconds - OVERLAP_SECONDS,
          until,
          withSteps: this.withSteps,
        });
        this.spanSeconds = Math.min(2 * this.spanSeconds, LONGEST_SPAN_SECONDS);
        this.withSteps = true;
        return { records, nextSince: Math.max(since, this.goOnFrom(until, now)) };
      } catch (error) {
        if (isTooMuch(error) && this.spanSeconds > SHORTEST_SPAN_SECONDS) this.spanSeconds /= 2;
        else if (isTooMuch(error) && this.withSteps) this.withSteps = false;
        else {
          this.lostAt ??= from;
          this.backAt = null;
          throw error;
        }
      }
    }
  }

  private goOnFrom(until: EpochSeconds, now: EpochSeconds): EpochSeconds {
    if (this.lostAt === null) return until;
    this.backAt ??= now;
    if (now < this.backAt + this.lagSeconds) return Math.min(until, this.lostAt);
    this.lostAt = null;
    this.backAt = null;
    return until;
  }
}

const OVERLAP_SECONDS = 3600;
const SHORTEST_SPAN_SECONDS = 3600;
const FIRST_SPAN_SECONDS = 30 * 86_400;
const LONGEST_SPAN_SECONDS = 365 * 86_400;
