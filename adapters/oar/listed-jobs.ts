import type { ListedRow, OarJob } from './parse.ts';

/**
 * The jobs of OAR's short listing, with what it does not say. `oarstat -J` asks its database several times for each
 * job, so it is asked only for jobs that are new or have changed; the others are remembered.
 */
export class ListedJobs {
  private known = new Map<string, { readonly letter: string; readonly job: OarJob }>();

  constructor(private readonly describe: (numbers: readonly string[]) => Promise<OarJob[]>) {}

  /** The jobs of a listing, in its order. Those that leave the queue meanwhile are left out. */
  async complete(rows: readonly ListedRow[]): Promise<OarJob[]> {
    const letters = new Map(rows.map(({ nativeId, letter }) => [nativeId, letter]));
    const changed = rows.filter(({ nativeId, letter }) => {
      return !LASTING.has(letter) || this.known.get(nativeId)?.letter !== letter;
    });
    const news = await this.describe(changed.map(({ nativeId }) => nativeId));
    const kept = [...this.known].filter(([nativeId]) => letters.has(nativeId));
    const described = news.map((job) => [job.nativeId, { letter: letters.get(job.nativeId) ?? '', job }] as const);
    const isChanged = new Set(changed.map(({ nativeId }) => nativeId));
    this.known = new Map([...kept.filter(([nativeId]) => !isChanged.has(nativeId)), ...described]);
    return rows.flatMap(({ nativeId }) => this.known.get(nativeId)?.job ?? []);
  }
}

/** Waiting, Hold, Running, Suspended: states in which nothing else of a job changes. */
const LASTING = new Set(['W', 'H', 'R', 'S']);
