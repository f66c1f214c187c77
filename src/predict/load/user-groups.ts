import { kmeans } from 'ml-kmeans';
import type { GapMoments } from './gap-moments.ts';

/** Whose submissions are looked at together: all users', those of the like of a user, or each user's. */
export const GROUPINGS = ['aggregate', 'clustered', 'user'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** What users are grouped by. */
export interface UserSummary {
  readonly user: string;
  /** Processors asked for in all. */
  readonly processors: number;
  readonly gaps: GapMoments;
}

/** The group of each user, and the one of those who are not known. */
export interface UserGroups {
  readonly of: ReadonlyMap<string, string>;
  readonly usual: string;
}

/**
 * Puts users into groups. Clustered: those who ask for most of all each alone, and the others in clusters by k-means on
 * the mean and deviation of their inter-arrival times and of the squares of these, each feature within 0 to 1 (section
 * IV of dinh-per-user-workload-prediction). Deterministic, whatever the order of the users.
 */
export function groupUsers(users: readonly UserSummary[], grouping: Grouping): UserGroups {
  if (grouping === 'aggregate') return { of: new Map(users.map(({ user }) => [user, ALL])), usual: ALL };
  const order = [...users].sort((a, b) => b.processors - a.processors || (a.user < b.user ? -1 : 1));
  const heavy = grouping === 'user' ? order.length : HEAVY_USERS;
  const of = new Map(order.slice(0, heavy).map(({ user }) => [user, `user ${user}`]));
  const light = order.slice(heavy);
  const labels = labelsOf(light.map(({ gaps }) => gaps.features()));
  for (const [i, { user }] of light.entries()) of.set(user, `cluster ${labels[i]}`);
  return { of, usual: `cluster ${mostFrequent(labels)}` };
}

function labelsOf(features: readonly (readonly number[])[]): readonly number[] {
  const widths = [0, 1, 2, 3].map((i) => features.reduce((most, one) => Math.max(most, one[i] as number), LEAST_WIDTH));
  const points = features.map((one) => one.map((value, i) => value / (widths[i] as number)));
  const distinct = [...new Set(points.map((point) => point.join()))];
  if (distinct.length <= CLUSTERS) return points.map((point) => distinct.indexOf(point.join()));
  return kmeans(points, CLUSTERS, { seed: SEED }).clusters;
}

function mostFrequent(labels: readonly number[]): number {
  const counts = Array.from({ length: CLUSTERS }, (_, label) => labels.filter((one) => one === label).length);
  return counts.indexOf(Math.max(...counts));
}

const ALL = 'all';
const HEAVY_USERS = 15;
const CLUSTERS = 3;
const LEAST_WIDTH = 1e-9;
const SEED = 1;
