import type { SiteCost } from '../domain/ownership.ts';
import { spreadSites } from '../domain/spread-sites.ts';
import type { ForecasterState } from './forecaster.ts';
import type { RunningThread } from './start-thread.ts';
import type { PostedQuestion } from './thread-options.ts';

/** A thread to be started, by its number from 0. */
export type StartThread = (index: number, onCosts: (costs: readonly SiteCost[]) => void) => RunningThread;

/**
 * The threads that forecast in this process. Each site is looked after by one of them. The first is there from the
 * beginning; it tells what the sites cost, and others are begun when there is work for them.
 */
export class Threads {
  private readonly first: RunningThread;
  private readonly others = new Map<number, RunningThread>();
  private homes: ReadonlyMap<string, number> = new Map();
  /** Who computes which question, to be told when nobody waits for it. */
  private readonly askedOf = new Map<number, RunningThread>();
  private spreading: Promise<void> | null = null;
  private isEnding = false;
  /** When each site was asked about last, in milliseconds of a monotonic clock. */
  private readonly askedAt = new Map<string, number>();

  /**
   * @param mostThreads that there may be
   * @param onError told what else went wrong; sites stay where they are then
   */
  constructor(
    private readonly start: StartThread,
    private readonly mostThreads: number,
    private readonly onError: (error: Error) => void,
  ) {
    this.first = start(0, (costs) => this.spread(costs));
  }

  async ask(asked: PostedQuestion): Promise<unknown> {
    const thread = this.threadFor(asked);
    for (const siteId of sitesOf(asked)) this.askedAt.set(siteId, performance.now());
    this.askedOf.set(asked.id, thread);
    try {
      return await thread.ask(asked);
    } finally {
      this.askedOf.delete(asked.id);
    }
  }

  cancel(id: number): void {
    this.askedOf.get(id)?.cancel(id);
  }

  async state(): Promise<ForecasterState[]> {
    const states = await Promise.all(
      [...this.all].map(async ([index, thread]) => [index, await thread.state()] as const),
    );
    return states.flatMap(([index, told]) => told.filter(({ siteId }) => this.homeOf(siteId) === index));
  }

  stateOf(siteId: string): Promise<ForecasterState> {
    return this.threadOf(siteId).stateOf(siteId);
  }

  async end(): Promise<void> {
    this.isEnding = true;
    await Promise.all([...this.all.values()].map((thread) => thread.end()));
  }

  private get all(): ReadonlyMap<number, RunningThread> {
    return new Map([[0, this.first], ...this.others]);
  }

  private homeOf(siteId: string): number {
    return this.homes.get(siteId) ?? 0;
  }

  private threadOf(siteId: string): RunningThread {
    return this.others.get(this.homeOf(siteId)) ?? this.first;
  }

  /** A question over several sites is for the thread that looks after most of them; it takes the others in, too. */
  private threadFor(asked: PostedQuestion): RunningThread {
    const counts = new Map<RunningThread, number>();
    for (const siteId of sitesOf(asked)) {
      const thread = this.threadOf(siteId);
      counts.set(thread, (counts.get(thread) ?? 0) + 1);
    }
    return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), [this.first, 0] as const)[0];
  }

  private spread(costs: readonly SiteCost[]): void {
    if (this.mostThreads === 1 || this.isEnding) return;
    this.spreading ??= this.move(costs)
      .catch((error: Error) => {
        if (!this.isEnding) this.onError(error);
      })
      .finally(() => {
        this.spreading = null;
      });
  }

  /**
   * A site that moves, and was asked about lately, is known where it goes before it is asked about there. Of others who
   * looks after them is all that changes: each that is taken in costs a good part of a second.
   */
  private async move(costs: readonly SiteCost[]): Promise<void> {
    const wanted = spreadSites(costs, this.mostThreads, this.homes);
    const moved = [...wanted].filter(([siteId, home]) => this.homeOf(siteId) !== home);
    for (const [, home] of moved) if (home > 0 && !this.others.has(home)) this.begin(home);
    const asked = moved.filter(([siteId]) => this.isAskedAbout(siteId));
    const homes = new Map([...wanted, ...asked.map(([siteId]) => [siteId, this.homeOf(siteId)] as const)]);
    if (moved.length > asked.length || wanted.size !== this.homes.size) await this.settle(homes);
    for (const [siteId, home] of asked) {
      if (this.isEnding) return;
      await (this.others.get(home) ?? this.first).stateOf(siteId);
      await this.settle(new Map([...this.homes, [siteId, home]]));
    }
  }

  private begin(home: number): void {
    if (!this.isEnding)
      this.others.set(
        home,
        this.start(home, () => undefined),
      );
  }

  private isAskedAbout(siteId: string): boolean {
    return performance.now() - (this.askedAt.get(siteId) ?? Number.NEGATIVE_INFINITY) < ASKED_MILLISECONDS;
  }

  private async settle(homes: ReadonlyMap<string, number>): Promise<void> {
    this.homes = homes;
    await Promise.all([...this.all.values()].map((thread) => thread.lookAfter([...homes])));
  }
}

/** The sites that a question is about. */
function sitesOf({ name, args }: PostedQuestion): Iterable<string> {
  if (name !== 'offerCoAllocation') return [args[0] as string];
  const { candidates } = args[0] as { readonly candidates: readonly { readonly siteId: string }[] };
  return new Set(candidates.map(({ siteId }) => siteId));
}

/** Who was asked about within that time is likely to be asked about soon. */
const ASKED_MILLISECONDS = 600_000;
