import { expect, test } from 'vitest';
import type { Candidate, Plan } from '../../../../src/domain/plan.ts';
import { learnLimits, sitesWithRoomAgain } from '../../../../src/plan/job/site-limits.ts';
import { planOfShare, spreadTasks, type TaskRoom } from '../../../../src/plan/job/spread-tasks.ts';

/** One way at each site: when the next task would end there, and whether it lost for more than that. */
function planOf(ends: Readonly<Record<string, number | null>>, lostBecause: Candidate['lostBecause'] = 'SLOWER'): Plan {
  const candidates = Object.entries(ends).map(([siteId, responseSeconds], index) => {
    const size = { processors: 4, walltimeSeconds: 600, responseSeconds };
    return { siteId, siteName: siteId, ...size, lostBecause: index === 0 ? null : lostBecause } as Candidate;
  });
  return { madeAt: 0, submitAt: 0, chosen: candidates[0] ?? null, candidates };
}

const room =
  (given: Partial<TaskRoom> = {}) =>
  (): TaskRoom => ({
    ...{ usableProcessors: 40, atSite: 0, tenantsJobs: 0, siteLimit: null, onTheWay: 0 },
    ...given,
  });
const counts = (shares: ReturnType<typeof spreadTasks>) =>
  Object.fromEntries(shares.map(({ candidate, tasks }) => [candidate.siteId, tasks]));

test('the next task goes where it ends first, a runtime later for as many as a site runs at a time', () => {
  // East ends ten at 700, ten at 1,300; west ten at 1,000, ten at 1,600.
  expect(counts(spreadTasks(planOf({ east: 700, west: 1000 }), 5, room()))).toEqual({ east: 5 });
  expect(counts(spreadTasks(planOf({ east: 700, west: 1000 }), 15, room()))).toEqual({ east: 10, west: 5 });
  expect(counts(spreadTasks(planOf({ east: 700, west: 1000 }), 25, room()))).toEqual({ east: 15, west: 10 });
});

test('the plan of tasks names the site that they go to, and says that the one that is quicker has others', () => {
  const plan = planOf({ east: 700, west: 1000, north: 9000 });
  const [east, west, north] = plan.candidates as [Candidate, Candidate, Candidate];
  expect(planOfShare(plan, east)).toMatchObject({ chosen: east, candidates: plan.candidates });
  const { chosen, candidates } = planOfShare(plan, west);
  expect(chosen).toMatchObject({ siteId: 'west', lostBecause: null });
  expect(candidates).toEqual([
    {
      ...{ ...east, lostBecause: 'OTHER_TASKS_FIRST' },
      explanation: 'east is given as many other tasks of its group as it can run soon',
    },
    chosen,
    north,
  ]);
});

test('what a site was given since the plan was made counts', () => {
  const given = (siteId: string) => (siteId === 'east' ? 10 : 0);
  expect(counts(spreadTasks(planOf({ east: 700, west: 1000 }), 5, room(), given))).toEqual({ west: 5 });
});

test('a site is given no more than it could run twice over, nor more than it has said to take', () => {
  expect(counts(spreadTasks(planOf({ east: 700 }), 100, room()))).toEqual({ east: 20 });
  expect(counts(spreadTasks(planOf({ east: 700 }), 100, room({ atSite: 15 })))).toEqual({ east: 5 });
  expect(counts(spreadTasks(planOf({ east: 700 }), 100, room({ siteLimit: 6, tenantsJobs: 4 })))).toEqual({ east: 2 });
  expect(spreadTasks(planOf({ east: 700 }), 100, room({ siteLimit: 6, tenantsJobs: 7 }))).toEqual([]);
});

test('no more are let go to a site than workers soon hand over; the next waits for it unless another does as well', () => {
  const large = { usableProcessors: 4000 };
  const plan = planOf({ east: 700, west: 5000 });
  expect(counts(spreadTasks(plan, 250, room(large)))).toEqual({ east: 20 });
  expect(counts(spreadTasks(plan, 250, room({ ...large, onTheWay: 14 })))).toEqual({ east: 6 });
  expect(spreadTasks(plan, 250, room({ ...large, onTheWay: 30 }))).toEqual([]);
  const alike = planOf({ east: 700, west: 730 });
  expect(counts(spreadTasks(alike, 30, room(large)))).toEqual({ east: 20, west: 10 });
});

test('sites that cannot take the job get nothing, and those that nothing is known of come last', () => {
  expect(counts(spreadTasks(planOf({ east: 700, west: 1000 }, 'TOO_LARGE'), 15, room()))).toEqual({ east: 15 });
  expect(counts(spreadTasks(planOf({ east: 700, west: null }), 21, room()))).toEqual({ east: 20, west: 1 });
});

test('a site that refuses one more job takes as many as it has, until that is forgotten', () => {
  const refusal = {
    siteId: 'east',
    queue: null,
    scope: 'JOB_LIMIT',
    processors: 1,
    walltimeSeconds: 1,
    siteSays: '',
  } as const;
  const learned = learnLimits({}, [{ ...refusal, until: 100 }], () => 5, 50);
  expect(learned).toEqual({ east: { jobs: 5, until: 100 } });
  expect(learnLimits(learned, [{ ...refusal, until: 100 }], () => 3, 60)).toEqual(learned);
  expect(learnLimits(learned, [{ ...refusal, until: 200 }], () => 3, 60)).toEqual({ east: { jobs: 3, until: 200 } });
  expect(learnLimits(learned, [], () => 3, 3700)).toEqual({});
  expect(sitesWithRoomAgain(learned, [{ ...refusal, until: 100 }], () => 5)).toEqual([]);
  expect(sitesWithRoomAgain(learned, [{ ...refusal, until: 100 }], () => 4)).toEqual(['east']);
});
