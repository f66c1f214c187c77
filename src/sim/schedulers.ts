import { ArrivalScheduler } from './arrival-scheduler.ts';
import { ConservativeScheduler } from './conservative-scheduler.ts';
import type { Machine } from './machine.ts';
import type { Policy } from './policy.ts';
import { RankedScheduler } from './ranked-scheduler.ts';
import type { Scheduler } from './scheduler.ts';

/**
 * The scheduler of a policy.
 * @param beliefLasts whether a waiting job's believed runtime also tells when it is expected to end once it runs
 */
export function makeScheduler(policy: Policy, machine: Machine, beliefLasts: boolean): Scheduler {
  if (policy.backfill === 'conservative') return new ConservativeScheduler(machine);
  const backfills = policy.backfill === 'easy';
  if (policy.rank || policy.backfillRank) return new RankedScheduler(machine, policy);
  return new ArrivalScheduler(machine, backfills, beliefLasts);
}
