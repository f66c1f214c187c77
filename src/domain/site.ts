import type { EpochSeconds } from './clock.ts';
import type { LicenceCount, NodeShape, QueueAllocation } from './node-shape.ts';
import type { SiteTerms } from './resources.ts';

/**
 * Why no job of ours starts in a queue for now, whatever its size: it takes or starts none (`DOWN`), or none of ours
 * (`FORBIDDEN`).
 */
export const QUEUE_BARS = ['DOWN', 'FORBIDDEN'] as const;
export type QueueBar = (typeof QUEUE_BARS)[number];

/** A stretch of time for which a site has set processors aside. */
export interface MaintenanceWindow {
  readonly startAt: EpochSeconds;
  readonly endAt: EpochSeconds;
  /** How many are set aside; null for all of them. */
  readonly processors: number | null;
  /** What the site calls it. */
  readonly reason: string;
  /**
   * How many of the processors of each queue are among them, by its name, others none; absent where the site does not
   * say.
   */
  readonly queues?: Readonly<Record<string, number>>;
}

/** A partition or queue of a site, with its limits. Null means the site states no such limit. */
export interface QueueFacts {
  readonly name: string;
  readonly isDefault: boolean;
  readonly maxProcessors: number | null;
  readonly maxWalltimeSeconds: number | null;
  /** All processors that its jobs may have; null or absent where the site does not say. */
  readonly processors?: number | null;
  /**
   * The largest job that its nodes in service can hold, whatever runs there; null or absent where the site does not
   * say.
   */
  readonly usableProcessors?: number | null;
  /** Null or absent while our jobs may start in it. */
  readonly bar?: QueueBar | null;
  /**
   * The one of a job's terms that the bar is about: it is none to a job that names its own, which the site judges. Null
   * or absent where it is about every job.
   */
  readonly barredTerm?: keyof SiteTerms | null;
  /** The bar in a sentence, in the site's own words. */
  readonly unusableBecause?: string | null;
  /** Null or absent where the site does not say. */
  readonly allocation?: QueueAllocation | null | undefined;
}

/** Why our jobs do not start in a queue that is barred, in words that go on from its name. */
export function barInWords({ bar, barredTerm, unusableBecause }: Bar): string {
  const says = unusableBecause ?? 'the site does not say why';
  if (bar === 'DOWN') return `starts no jobs: ${says}`;
  return `takes none of our jobs${barredTerm ? ` that name no ${TERM_WORDS[barredTerm]} of their own` : ''}: ${says}`;
}

type Bar = Pick<QueueFacts, 'barredTerm' | 'unusableBecause'> & { readonly bar?: string | null };

const TERM_WORDS: Readonly<Record<keyof SiteTerms, string>> = {
  account: 'account',
  qos: 'QOS',
  siteReservation: 'reservation',
};

/** What is true of a site whatever its load, discovered through its adapter. */
export interface SiteFacts {
  readonly processors: number;
  readonly queues: readonly QueueFacts[];
  /** Windows that have not ended yet; absent where the site announces none. */
  readonly maintenance?: readonly MaintenanceWindow[];
  /** Of all its nodes, in service or not; absent where the site does not say. */
  readonly nodeShapes?: readonly NodeShape[] | undefined;
  /** Absent where the site has none, or does not say. */
  readonly licences?: readonly LicenceCount[] | undefined;
}

/**
 * Whether a site is given work: `ACTIVE` yes, `DRAINING` finishes what it has, `SUSPENDED` promises are withheld by the
 * detector, `REMOVING` it is let go as soon as nothing of ours is there.
 */
export const SITE_STATES = ['ACTIVE', 'DRAINING', 'SUSPENDED', 'REMOVING'] as const;
export type SiteState = (typeof SITE_STATES)[number];
