import type { Forecaster } from '../../../forecast/forecaster.ts';
import type { TaskRoom } from '../../../plan/job/spread-tasks.ts';
import type { MadePlan } from '../planning/plan-request.ts';

/** A plan for the tasks of a group, and what it was made on. */
interface KeptPlan {
  readonly made: MadePlan;
  readonly knownAs: string;
  readonly roomOf: (siteId: string) => TaskRoom;
}

/** Plans of groups, the newest of each, with whom they were asked of. */
const KEPT = new WeakMap<Forecaster, Map<string, KeptPlan>>();

/**
 * The plan for the next tasks of a group: the one that was made before as long as nothing else was heard of its sites,
 * and anew otherwise. All tasks of an array ask the same question, so they are planned once between two looks at their
 * sites, however many go one by one.
 * @param make makes it
 * @returns with it the tasks that a site has been given since it was made, and whether that is just now
 */
export async function planOfGroup(
  forecaster: Forecaster,
  groupId: string,
  { knownAs, roomOf }: Omit<KeptPlan, 'made'>,
  make: () => Promise<MadePlan>,
): Promise<{ made: MadePlan; givenTo: (siteId: string) => number; isNew: boolean }> {
  const plans = KEPT.get(forecaster) ?? new Map<string, KeptPlan>();
  KEPT.set(forecaster, plans);
  const kept = plans.get(groupId);
  if (kept?.knownAs === knownAs) {
    const givenTo = (siteId: string) => Math.max(0, roomOf(siteId).atSite - kept.roomOf(siteId).atSite);
    return { made: kept.made, givenTo, isNew: false };
  }
  const made = await make();
  plans.delete(groupId);
  plans.set(groupId, { made, knownAs, roomOf });
  const [oldest] = plans.keys();
  if (plans.size > MOST_KEPT && oldest !== undefined) plans.delete(oldest);
  return { made, givenTo: () => 0, isNew: true };
}

const MOST_KEPT = 200;
