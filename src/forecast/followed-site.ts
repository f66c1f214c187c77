import type { SettingsByPredictor } from '../predict/settings.ts';
import type { CheckpointRow } from '../store/checkpoints.ts';
import type { SiteProgress } from '../store/site-progress.ts';
import type { FollowedPredictors } from './followed-quantity.ts';
import type { ForecasterState } from './forecaster.ts';
import { LiveSite } from './live-site.ts';
import type { KeptCheckpoint } from './site-checkpoints.ts';
import { SiteModel } from './site-model.ts';

/** What of a site was kept last. */
interface Kept extends KeptCheckpoint {
  /** How many records had been told of it here. */
  readonly told: number;
  readonly observedAt: number | null;
  readonly livedRevision: number | null;
  /** Milliseconds of a monotonic clock. */
  readonly at: number;
  /** Whether it was written because somebody could not use the one before it. */
  readonly inPlaceOfFaulty: boolean;
}

/** What is followed of a site, all of one moment. */
export type FollowedState = Pick<Followed, 'site' | 'revision' | 'epoch' | 'observedAt' | 'isRead' | 'told' | 'kept'>;

export interface Followed {
  site: LiveSite;
  revision: number;
  /** As it was when the records were first read; records have been taken away once it is another one. */
  epoch: number | null;
  observedAt: number | null;
  /** Whether all that was there has been taken in once. */
  isRead: boolean;
  /** How many records it was told of. */
  told: number;
  /** Under which this thread owns it, and has since gone on from its newest checkpoint; null where it does not. */
  ownerEpoch: number | null;
  /** As its newest checkpoint here was written or read; null before. */
  kept: Kept | null;
  /** From when on it has waited for its owner to live through its past, in milliseconds of a monotonic clock. */
  waitsSince: number | null;
  refreshedAt: number;
  refreshing: Promise<void> | null;
  /** When somebody asked about it last, in milliseconds of a monotonic clock; null when nobody has. */
  askedAt: number | null;
}

/** A site of which nothing has been read. */
export function unreadSite(followed: FollowedPredictors, settings: SettingsByPredictor): FollowedState {
  const site = new LiveSite(() => new SiteModel(followed, settings));
  return { site, revision: 0, epoch: null, observedAt: null, isRead: false, told: 0, kept: null };
}

/** A site that is followed from now on. */
export function openedSite(state: FollowedState): Followed {
  const unread = { refreshedAt: Number.NEGATIVE_INFINITY, refreshing: null, askedAt: null };
  return { ...state, ...unread, ownerEpoch: null, waitsSince: null };
}

/** Whether there is anything that it does not know, or that it has to become by another owner. */
export function isBehind(
  followed: Followed,
  { recordsEpoch, observedAt, revision }: SiteProgress,
  owner: number | null,
) {
  const { isRead, epoch, ownerEpoch, site } = followed;
  if (!isRead || site.isToLiveThroughPast || ownerEpoch !== owner || epoch !== recordsEpoch) return true;
  return followed.observedAt !== observedAt || followed.revision < revision;
}

/** A site that was just restored from a checkpoint. */
export function goingOnFrom(fresh: FollowedState, row: CheckpointRow & KeptCheckpoint): FollowedState {
  const { number, bytes, revision, livedRevision } = row;
  const { observedAt } = fresh.site;
  const kept = { number, bytes, told: 0, observedAt, livedRevision, at: performance.now(), inPlaceOfFaulty: false };
  return { ...fresh, revision, observedAt, kept };
}

/**
 * Whether it is to be kept: after a past was lived through; when much has come since, or anything for some time; once,
 * when somebody could not use the newest checkpoint, who may just be of another version.
 */
export function isDue({ site, told, observedAt, kept }: FollowedState, isFaulty: boolean): boolean {
  if (isFaulty && !kept?.inPlaceOfFaulty) return true;
  if (!kept || kept.livedRevision !== site.livedRevision || told - kept.told >= KEPT_AFTER_RECORDS) return true;
  const passed = performance.now() - kept.at;
  return passed >= KEPT_AFTER_MILLISECONDS && (told > kept.told || observedAt !== kept.observedAt);
}

/**
 * Whether so much has come since its checkpoint that who does not fit its models should look for a newer one; of one
 * that was lived through here, for lack of a checkpoint, at once.
 */
export function isOutgrown({ told, observedAt, kept }: FollowedState): boolean {
  if (!kept) return true;
  if (told - kept.told >= KEPT_AFTER_RECORDS) return true;
  const passed = performance.now() - kept.at;
  return passed >= OUTGROWN_AFTER_MILLISECONDS && (told > kept.told || observedAt !== kept.observedAt);
}

/** Whether its newest checkpoint here holds all that it was told of. */
export function isKept({ site, told, observedAt, kept }: FollowedState): boolean {
  return kept?.livedRevision === site.livedRevision && kept.told === told && kept.observedAt === observedAt;
}

/** Whether it is kept in memory in any case. */
export function isInUse({ askedAt, refreshing }: Followed): boolean {
  return refreshing !== null || (askedAt !== null && performance.now() - askedAt < ASKED_MILLISECONDS);
}

/** A site that somebody asked about so lately is in use. */
const ASKED_MILLISECONDS = 30_000;
/** Half of what brings a new fit. */
const KEPT_AFTER_RECORDS = 500;
/** A model that has not watched for half an hour forgets what it was following. */
const KEPT_AFTER_MILLISECONDS = 600_000;
/** Taking over a checkpoint takes up to a second. */
const OUTGROWN_AFTER_MILLISECONDS = 3_600_000;

/** What is told of it. */
export function stateOf(siteId: string, { site, isRead }: Followed): ForecasterState {
  return { siteId, learnedWaits: site.model.learnedWaits, isLearning: site.isLearning || !isRead };
}
