import type { TaskRoom } from '../../../plan/job/spread-tasks.ts';
import type { MadePlan } from '../planning/plan-request.ts';

/** A plan for the tasks of a group, and what it was made on. */
interface KeptPlan {
  readonly made: MadePlan;
  readonly knownAs: string;
  readonly roomOf: (siteId: string) => TaskRoom;
}

/**
 * The plans for the next tasks of groups, the newest of each. All tasks of an array ask the same question, so they are
 * planned once between two looks at their sites, however many go one by one.
 */
export class GroupPlans {
  private readonly kept = new Map<string, KeptPlan>();

  /**
   * The plan that was made before as long as nothing else was heard of its sites, and anew otherwise.
   * @param make makes it
   * @returns with it the tasks that a site has been given since it was made, and whether that is just now
   */
  async of(
    groupId: string,
    { knownAs, roomOf }: Omit<KeptPlan, 'made'>,
    make: () => Promise<MadePlan>,
  ): Promise<{ made: MadePlan; givenTo: (siteId: string) => number; isNew: boolean }> {
    const kept = this.kept.get(groupId);
    if (kept?.knownAs === knownAs) {
      const givenTo = (siteId: string) => Math.max(0, roomOf(siteId).atSite - kept.roomOf(siteId).atSite);
      return { made: kept.made, givenTo, isNew: false };
    }
    const made = await make();
    this.kept.delete(groupId);
    this.kept.set(groupId, { made, knownAs, roomOf });
    const [oldest] = this.kept.keys();
    if (this.kept.size > MOST_KEPT && oldest !== undefined) this.kept.delete(oldest);
    return { made, givenTo: () => 0, isNew: true };
  }
}

const MOST_KEPT = 200;
