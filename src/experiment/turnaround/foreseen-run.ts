import type { Cluster } from '../../sim/cluster.ts';
import { LookAhead, type SecondsToRun } from '../../sim/look-ahead.ts';
import type { Policy } from '../../sim/policy.ts';
import type { JobRun } from '../../sim/site-ahead.ts';
import { relativeAccuracy } from '../../stats/relative-accuracy.ts';

/**
 * When a job of a machine will run: of the ends, and the runtimes, that it has in the courses that things may take
 * those that are least wrong. Null when it never ends.
 */
export function foreseenRun(
  row: number,
  courses: readonly SecondsToRun[],
  cluster: Cluster,
  policy: Policy,
): JobRun | null {
  const runs = courses.flatMap((secondsToRun) => new LookAhead(cluster, policy, secondsToRun).runOf(row) ?? []);
  if (runs.length === 0) return null;
  const turnaroundSeconds = leastWrong(runs.map(({ endAt }) => endAt - cluster.now));
  const runSeconds = leastWrong(runs.map(({ startAt, endAt }) => endAt - startAt));
  const endAt = cluster.now + turnaroundSeconds;
  return { startAt: Math.max(cluster.now, endAt - runSeconds), endAt };
}

/** That of some durations which, if each came as often as the others, would have the best mean relative accuracy. */
function leastWrong(seconds: readonly number[]): number {
  const meanOf = (said: number) => seconds.reduce((sum, actual) => sum + relativeAccuracy(said, actual), 0);
  return seconds.reduce((best, said) => (meanOf(said) > meanOf(best) ? said : best));
}
