import type { RandomStream } from '../../sim/random.ts';
import type { Workload } from '../../sim/workload.ts';

/** Two jobs of one user by their places in the log, made a chain. */
export interface ChainPair {
  readonly first: number;
  readonly next: number;
}

/**
 * Draws pairs of jobs that follow each other in the work of one user: the second is the next job that the user submits
 * after the first, within a day. No job is in two pairs.
 * @param fromJob before which nothing is drawn
 */
export function drawPairs(
  workload: Workload,
  processors: number,
  { fromJob, count }: { readonly fromJob: number; readonly count: number },
  random: RandomStream,
): ChainPair[] {
  const all = pairsOf(workload, processors, fromJob);
  const drawn: ChainPair[] = [];
  for (let n = 0; n < all.length; n++) {
    const chance = (count - drawn.length) / (all.length - n);
    if (random.uniform() < chance) drawn.push(all[n] as ChainPair);
  }
  return drawn;
}

function pairsOf(workload: Workload, processors: number, fromJob: number): ChainPair[] {
  const { submitAt, runSeconds, allocatedProcessors } = workload.columns;
  const open = new Map<string, number>();
  const pairs: ChainPair[] = [];
  for (let job = fromJob; job < workload.length; job++) {
    const user = workload.userOf(job);
    const size = allocatedProcessors[job] as number;
    if (user === null || size <= 0 || size > processors || (runSeconds[job] as number) < SHORTEST_SECONDS) continue;
    const first = open.get(user);
    const isNear = first !== undefined && (submitAt[job] as number) - (submitAt[first] as number) <= MOST_APART_SECONDS;
    if (first !== undefined && isNear) {
      pairs.push({ first, next: job });
      open.delete(user);
    } else open.set(user, job);
  }
  return pairs;
}

/** Shorter ones are failures and tests, of which nobody makes chains. */
const SHORTEST_SECONDS = 60;
const MOST_APART_SECONDS = 86_400;
