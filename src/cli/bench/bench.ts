/** What a bench may be told. */
export interface BenchOptions {
  /** How long it measures. */
  readonly seconds: number;
  /** Queues in the Redis of REDIS_URL too. */
  readonly redis: boolean;
  /** Folder with logs of the Parallel Workloads Archive; null when none was named. */
  readonly traces: string | null;
  /** Files with the configurations of Slurm sites that may be given jobs. */
  readonly slurm: readonly string[];
  /** How many sites, for the benches `sites`, `restore` and `rows`; what they say of themselves where none is named. */
  readonly sites: readonly number[];
  /** Told how far it is. */
  onProgress(done: number, total: number, note: string): void;
}

/** One line of a bench's result: names to figures, units in the names. */
export type BenchRow = Readonly<Record<string, string | number>>;

/** Something that can be measured on this machine. */
export interface Bench {
  readonly name: string;
  /** What it measures and how, in a sentence. */
  readonly describe: string;
  run(options: BenchOptions): Promise<readonly BenchRow[]>;
}
