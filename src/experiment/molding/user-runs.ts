import type { RandomStream } from '../../sim/random.ts';
import { OrderedSample } from '../../stats/ordered-sample.ts';

/** What is known of the jobs of one user at one size. */
export interface RunsAtSize {
  readonly processors: number;
  /** Of jobs that ended. */
  readonly runSeconds: OrderedSample;
  readonly longestWalltimeSeconds: number;
}

/** The jobs that users ran at sizes of their own choice, as far as they have ended. */
export class UserRuns {
  private readonly users = new Map<string, Map<number, RunsAtSize>>();
  /** The longest walltime that anybody requested: what the system is taken to allow. */
  longestWalltimeSeconds = 0;

  learn(user: string | null, processors: number, walltimeSeconds: number, runSeconds: number): void {
    this.longestWalltimeSeconds = Math.max(this.longestWalltimeSeconds, walltimeSeconds);
    if (user === null) return;
    const sizes = this.users.get(user) ?? new Map<number, RunsAtSize>();
    const known = sizes.get(processors);
    const runs = known?.runSeconds ?? new OrderedSample();
    runs.insert(runSeconds);
    const longestWalltimeSeconds = Math.max(known?.longestWalltimeSeconds ?? 0, walltimeSeconds);
    sizes.set(processors, { processors, runSeconds: runs, longestWalltimeSeconds });
    this.users.set(user, sizes);
  }

  /** The sizes that a user ran most jobs at, at most so many, from small to large. */
  sizesOf(user: string | null, most: number): RunsAtSize[] {
    const sizes = user === null ? undefined : this.users.get(user);
    return [...(sizes?.values() ?? [])]
      .sort((a, b) => b.runSeconds.size - a.runSeconds.size || a.processors - b.processors)
      .slice(0, most)
      .sort((a, b) => a.processors - b.processors);
  }
}

/** One of the runtimes, each as likely: a roulette wheel. */
export function drawnRuntime({ runSeconds }: RunsAtSize, random: RandomStream): number {
  return runSeconds.at(1 + Math.floor(random.uniform() * runSeconds.size));
}

/** The percentiles 1 to 99 of runtimes. */
export function percentilesOfRuns({ runSeconds }: RunsAtSize): number[] {
  return runSeconds.atAll(Array.from({ length: 99 }, (_, i) => Math.ceil(((i + 1) / 100) * runSeconds.size)));
}
