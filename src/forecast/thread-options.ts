import type { SiteCost } from '../domain/ownership.ts';
import { WAIT } from '../predict/quantities.ts';
import type { SettingsByPredictor } from '../predict/settings.ts';
import type { EmbeddingModel } from '../training/embedding-model.ts';
import type { FollowedPredictors } from './followed-quantity.ts';
import type { Forecaster, Questions } from './forecaster.ts';

/** How long an answer of the thread is waited for. */
export const ANSWER_MILLISECONDS = 60_000;

/** What a thread is told beside its options. */
export interface ThreadData extends ThreadOptions {
  /** What this thread is known by to the others that learn sites, see `processOf`. */
  readonly threadId: number;
}

/** What the thread is started with. */
export interface ThreadOptions {
  readonly databaseUrl: string;
  /** Name of the predictor of waits that decides. */
  readonly predictor: string;
  /** Names of others that forecast waits too, to be asked for and scored. */
  readonly alsoScored: readonly string[];
  /** Those of quantities other than the wait; the first of each registry unless told. */
  readonly others?: FollowedPredictors;
  /** Values in place of some predictors' own parameters. */
  readonly settings?: SettingsByPredictor;
  /** The model that says where texts of jobs lie; none unless told. */
  readonly embedding?: EmbeddingModel;
  /** Age below which a model answers without reading what is new. */
  readonly freshMilliseconds: number;
  /**
   * How long it may take from the time of submission until a site has the job, by the deployment's clock; none unless
   * told.
   */
  readonly handoverSeconds?: number;
  /** How many threads the process may have that forecast; one unless told. */
  readonly threads?: number;
  /** Sites that each of them keeps in memory at once, those asked about last; all unless told. */
  readonly mostSites?: number;
  /** What those may take in memory, by the sizes of their checkpoints; anything unless told. */
  readonly mostBytes?: number;
  /** How long after its start it begins to live through the sites' pasts, in wall time; at once unless told. */
  readonly learnsAfterMilliseconds?: number;
  /** Whether it learns sites only while no process is there that does so first; not unless told. */
  readonly learnsLast?: boolean;
}

/** A question as it goes over the thread's port. */
export interface PostedQuestion {
  /** To cancel it by. */
  readonly id: number;
  /** Whose turn it is computed in. */
  readonly asker: string;
  readonly name: keyof Questions;
  readonly args: readonly unknown[];
}

/** What the thread can be told, over its port. Moments travel as numbers, forecasts as they are. */
export interface ThreadFunctions extends Pick<Forecaster, 'state' | 'stateOf'> {
  ask(asked: PostedQuestion): Promise<unknown>;
  /** Nobody waits for that answer any more. */
  cancel(id: number): void;
  /** On which thread each site is looked after, by their numbers; those that are not told of, on the first. */
  lookAfter(homes: readonly (readonly [siteId: string, thread: number])[]): Promise<void>;
  stop(): Promise<void>;
}

/** What a thread can tell its process. */
export interface HostFunctions {
  /** What every site costs to learn, told by the first thread. */
  tellCosts(costs: readonly SiteCost[]): void;
  /** Something went wrong that a thread goes on after. */
  warn(what: string, reason: string): void;
}

/** Names of the thread's predictors of waits, the one that decides first. */
export function predictorsOf({ predictor, alsoScored }: Pick<ThreadOptions, 'predictor' | 'alsoScored'>): string[] {
  return [...new Set([predictor, ...alsoScored])];
}

/** What the thread follows each site by. */
export function followedBy(options: Pick<ThreadOptions, 'predictor' | 'alsoScored' | 'others'>): FollowedPredictors {
  return { ...options.others, [WAIT.name]: predictorsOf(options) };
}
