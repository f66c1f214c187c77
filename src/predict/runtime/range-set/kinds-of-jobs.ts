import type { JobRequest } from '../../../domain/job.ts';
import { keepClass } from '../../../domain/kept-classes.ts';
import { RecentGroups } from '../../recent-groups.ts';
import { likeName } from '../like-name.ts';
import { KnownRuntimes } from './known-runtimes.ts';
import { type LoadFunction, loadFunctions } from './load-functions.ts';
import type { Pool } from './weighted-runtimes.ts';

/** What runtimes are remembered of, from the closest likeness to the farthest. */
const LIKENESSES = [
  { nameOf: likeName, strength: 1, kept: 150 },
  { nameOf: ({ user }: JobRequest) => `${user}`, strength: 0.3, kept: 60 },
  {
    nameOf: ({ user, requestedWalltimeSeconds }: JobRequest) => `${requestedWalltimeSeconds} ${user}`,
    strength: 0.5,
    kept: 60,
  },
  { nameOf: ({ requestedWalltimeSeconds }: JobRequest) => `${requestedWalltimeSeconds}`, strength: 0.1, kept: 40 },
] as const;

/** Known runtimes by what jobs have in common, and the load functions that are learned of them. */
export class KindsOfJobs {
  private readonly memories = LIKENESSES.map(() => new RecentGroups<KnownRuntimes>(MOST_KINDS));
  private functions: readonly LoadFunction[] = [];
  private learned = 0;

  /** @param fitsLoad whether anybody asks for the load functions, which cost most of it */
  constructor(private readonly fitsLoad: boolean) {}

  /** Of the most frequent kinds, learned anew after every so many jobs. */
  get loadFunctions(): readonly LoadFunction[] {
    return this.functions;
  }

  poolsOf(job: JobRequest): Pool[] {
    return LIKENESSES.map(({ nameOf, strength }, i) => {
      return { known: this.memories[i]?.get(nameOf(job)), onlyRelevant: i === 0, strength };
    });
  }

  /** Runtimes of the same user, size and queue. */
  likeOf(job: JobRequest): KnownRuntimes | undefined {
    return this.memories[0]?.get(likeName(job));
  }

  learn(job: JobRequest, seconds: number, load: number): void {
    const { requestedWalltimeSeconds } = job;
    const runtime = { seconds, requestedWalltimeSeconds, load, number: this.learned };
    LIKENESSES.forEach(({ nameOf, kept }, i) => {
      const memory = this.memories[i] as RecentGroups<KnownRuntimes>;
      const known = memory.get(nameOf(job)) ?? new KnownRuntimes(kept, this.fitsLoad);
      known.add(runtime);
      memory.set(nameOf(job), known);
    });
    if (++this.learned % FITTED_EVERY === 0 && this.fitsLoad) this.refit();
  }

  private refit(): void {
    const kinds = Array.from((this.memories[0] as RecentGroups<KnownRuntimes>).values(), ({ newest }) => newest);
    this.functions = loadFunctions(kinds);
  }
}

/** As many as there may be kinds, so that a fit costs O(1) a job. */
const MOST_KINDS = 20_000;
const FITTED_EVERY = 2000;

keepClass(KindsOfJobs);
