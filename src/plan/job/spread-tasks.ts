import { OUTDONE } from '../../domain/loss-reason.ts';
import type { Candidate, Plan } from '../../domain/plan.ts';

/** What is known of a site as tasks of one array are spread over it. */
export interface TaskRoom {
  /** Processors of its nodes in service. */
  readonly usableProcessors: number;
  /** Tasks of arrays of the tenant that are there, or on their way. */
  readonly atSite: number;
  /** Jobs of the tenant that it takes at a time, by its own words; null where it has not said. */
  readonly siteLimit: number | null;
  /** All jobs of the tenant that are there, or on their way. */
  readonly tenantsJobs: number;
  /** Tasks that were let go to it and wait for a worker that hands them over. */
  readonly onTheWay: number;
}

/** A site that gets some of the tasks, and the way in which they are run there. */
export interface TaskShare {
  readonly candidate: Candidate;
  readonly tasks: number;
}

/**
 * How many of an array's tasks go to which site. One plan tells when the next task would end at each; every further one
 * is thought to end a runtime later for as many as the site could run at a time. The next task always goes where it
 * ends first. A site is given no more than it could run twice over, so that the rest can still go where it turns out to
 * be quicker, and no more than it has said to take. Where many are on their way already the next one waits for them,
 * or goes where it ends hardly later.
 * @param most tasks to be spread
 * @param roomOf what is known of a site, by its id
 * @param givenTo tasks that a site was given since the plan was made, by its id; none unless told
 */
export function spreadTasks(
  plan: Plan,
  most: number,
  roomOf: (siteId: string) => TaskRoom,
  givenTo: (siteId: string) => number = () => 0,
): TaskShare[] {
  const places = placesOf(plan, roomOf, givenTo);
  for (let left = most; left > 0; left--) {
    const withRoom = places.filter(({ tasks, room }) => tasks < room);
    const best = soonest(withRoom);
    const next = soonest(withRoom.filter(({ tasks, mayGo }) => tasks < mayGo));
    if (best === null || next === null || endOf(next) > endOf(best) + HAND_OVER_SECONDS) break;
    next.tasks++;
  }
  return places.filter(({ tasks }) => tasks > 0).map(({ candidate, tasks }) => ({ candidate, tasks }));
}

/**
 * The plan of tasks that get a share: where they do not go to the site that it chose, theirs is the chosen one, and
 * that one lost to other tasks.
 */
export function planOfShare(plan: Plan, own: Candidate): Plan & { readonly chosen: Candidate } {
  const { chosen } = plan;
  if (own === chosen) return { ...plan, chosen: own, submitAt: own.submitAt };
  const explanation = `a share of its group's tasks goes to ${own.siteName}`;
  const winner = { ...own, lostBecause: null, explanation };
  const candidates = plan.candidates.map((candidate) => {
    if (candidate === own) return winner;
    if (candidate !== chosen) return candidate;
    const explanation = `${candidate.siteName} is given as many other tasks of its group as it can run soon`;
    return { ...candidate, lostBecause: 'OTHER_TASKS_FIRST' as const, explanation };
  });
  return { ...plan, candidates, chosen: winner, submitAt: own.submitAt };
}

/** How many tasks a site is given at most beside those that it has; 0 for none. */
export function roomFor(processors: number, room: TaskRoom): number {
  const { atSite, siteLimit, tenantsJobs } = room;
  const own = Math.min(MOST_AT_SITE, ROUNDS * slotsOf(processors, room)) - atSite;
  return Math.max(0, Math.min(own, siteLimit === null ? own : siteLimit - tenantsJobs));
}

interface Place {
  readonly candidate: Candidate;
  readonly slots: number;
  readonly room: number;
  /** Tasks that may be let go to it now. */
  readonly mayGo: number;
  readonly endSeconds: number;
  readonly runSeconds: number;
  readonly given: number;
  tasks: number;
}

function placesOf(plan: Plan, roomOf: (siteId: string) => TaskRoom, givenTo: (siteId: string) => number): Place[] {
  const known = bestOfEachSite(plan);
  const ends = known.map(({ responseSeconds }) => responseSeconds).filter((end) => end !== null);
  const latest = ends.length > 0 ? Math.max(...ends) : 0;
  return known.map((candidate) => {
    const { processors, walltimeSeconds, runtime, responseSeconds, siteId } = candidate;
    const room = roomOf(siteId);
    const point = runtime?.pointSeconds ?? Number.POSITIVE_INFINITY;
    const runSeconds = Math.max(1, Math.min(walltimeSeconds, point));
    // Where nothing can be forecast it comes after those where something can.
    const endSeconds = responseSeconds ?? latest + walltimeSeconds;
    const mayGo = MOST_ON_THE_WAY - room.onTheWay;
    const size = { slots: slotsOf(processors, room), room: roomFor(processors, room), mayGo };
    return { candidate, ...size, endSeconds, runSeconds, given: givenTo(siteId), tasks: 0 };
  });
}

/** The chosen way, and of every other site the best that only another one outdid. */
function bestOfEachSite({ candidates, chosen }: Plan): Candidate[] {
  const best = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const isEligible =
      candidate === chosen || (candidate.lostBecause !== null && OUTDONE.includes(candidate.lostBecause));
    const before = best.get(candidate.siteId);
    const isBetter = !before || (before !== chosen && (candidate === chosen || isSooner(candidate, before)));
    if (isEligible && isBetter) best.set(candidate.siteId, candidate);
  }
  return [...best.values()];
}

function isSooner(a: Candidate, b: Candidate): boolean {
  return (a.responseSeconds ?? Number.POSITIVE_INFINITY) < (b.responseSeconds ?? Number.POSITIVE_INFINITY);
}

/** Where the next task would end first; null of no places. */
function soonest(places: readonly Place[]): Place | null {
  let first: Place | null = null;
  for (const place of places) if (first === null || endOf(place) < endOf(first)) first = place;
  return first;
}

/** When its next task would end. */
function endOf({ endSeconds, runSeconds, slots, given, tasks }: Place): number {
  return endSeconds + Math.floor((given + tasks) / slots) * runSeconds;
}

/** Tasks of that size that a site could run at a time, were it empty. */
function slotsOf(processors: number, { usableProcessors }: TaskRoom): number {
  return Math.max(1, Math.floor(usableProcessors / processors));
}

/** A site has as many tasks as it could run at a time, and as many again that wait. */
const ROUNDS = 2;
/** Tasks of a tenant that wait to be handed over to one site: workers do so many in a second. */
export const MOST_ON_THE_WAY = 20;
/** So long these may take. */
const HAND_OVER_SECONDS = 60;
/** Tasks of one tenant at one site, however large that is. */
const MOST_AT_SITE = 1000;
