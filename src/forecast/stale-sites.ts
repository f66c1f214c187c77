/** Which of some sites have no checkpoint that is near what is known of them by now. */
export type ListStale = (siteIds: readonly string[]) => Promise<ReadonlySet<string>>;

/** The sites whose checkpoints are old, read once a minute. */
export class StaleSites {
  private stale: ReadonlySet<string> = new Set();
  private readAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly list: ListStale) {}

  async among(siteIds: readonly string[]): Promise<ReadonlySet<string>> {
    const now = performance.now();
    if (now - this.readAt < FRESH_MILLISECONDS) return this.stale;
    this.stale = await this.list(siteIds);
    this.readAt = now;
    return this.stale;
  }
}

const FRESH_MILLISECONDS = 60_000;
