import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromGlobalId, toGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { createSite, saveSiteFacts } from '../../../src/store/sites.ts';
import { type ApiWorld, createApiWorld, HOUR, moment, NOW, work } from './api-world.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

const SUBMIT = `mutation Submit($input: SubmitJobInput!) {
  submitJob(input: $input) {
    job {
      id state site { name } deadlineAt processors
      deadline { at probability promisedProbability currentProbability ifMissed moves missedAt kept }
      plan { candidates { lostBecause processors finishProbability finishEarliestAt } }
    }
    bestOffer { siteName probability earliestAt earliestSiteName }
    userErrors { code field message }
  }
}`;

const PLAN = `query Plan($input: PlanInput!) {
  plan(input: $input) { chosen { finishProbability lostBecause } candidates {
    site { name } lostBecause explanation finishProbability finishEarliestAt
  } }
}`;

// Every job there ran 1,800 s.
const job = { ...work, walltimeSeconds: 2 * HOUR };

async function submit(input: object) {
  const { data, errors } = await world.ask(world.tokens.gateway, SUBMIT, { input: { ...job, ...input } });
  expect(errors).toBeUndefined();
  return data.submitJob;
}

test('a finish that a site can promise is promised there at once, and written down with its plan', async () => {
  const at = moment(NOW + 12 * HOUR);
  const {
    job: made,
    bestOffer,
    userErrors,
  } = await submit({ finishBy: { at, probability: 0.8, ifMissed: 'RUN_LATE' } });
  expect({ bestOffer, userErrors }).toEqual({ bestOffer: null, userErrors: [] });
  expect(made).toMatchObject({ state: 'HELD', deadlineAt: at });
  expect(made.deadline).toMatchObject({
    at,
    probability: 0.8,
    ifMissed: 'RUN_LATE',
    moves: 0,
    missedAt: null,
    kept: null,
  });
  expect(made.deadline.promisedProbability).toBeGreaterThanOrEqual(0.8);
  expect(made.deadline.promisedProbability).toBeLessThanOrEqual(0.99);
  expect(made.deadline.currentProbability).toBe(made.deadline.promisedProbability);
  type Candidate = { lostBecause: string | null; finishProbability: number | null };
  const chosen = made.plan.candidates.find(({ lostBecause }: Candidate) => lostBecause === null);
  expect(chosen.finishProbability).toBe(made.deadline.promisedProbability);
  const { db } = world.stores.database;
  const executionId = fromGlobalId(made.id)?.id ?? '';
  expect(await db.outbox.count({ where: { targetId: executionId } })).toBeGreaterThan(0);
  expect(await db.forecast.count({ where: { plan: { executionId } } })).toBeGreaterThan(0);
});

test('one that no site can promise is refused with the best on offer, which is then promised', async () => {
  const before = await world.countRows();
  const finishBy = { at: moment(NOW + 600), probability: 0.8 };
  const { job: made, bestOffer, userErrors } = await submit({ finishBy });
  expect(made).toBeNull();
  expect(userErrors).toMatchObject([{ code: 'PROMISE_REFUSED', field: 'input.finishBy.at' }]);
  expect(userErrors[0].message).toMatch(/^no site can promise a finish in time with probability 0.8: .*; ask for /);
  expect(bestOffer.probability).toBeLessThan(0.8);
  expect(Date.parse(bestOffer.earliestAt)).toBeGreaterThan(Date.parse(finishBy.at));
  expect(await world.countRows()).toEqual(before);

  const taken = await submit({ finishBy: { at: bestOffer.earliestAt, probability: 0.8 } });
  expect(taken.userErrors).toEqual([]);
  expect(taken.job.site.name).toBe(bestOffer.earliestSiteName);
  expect(taken.job.deadline.ifMissed).toBe('CANCEL');
});

test('a site of which too little is known promises nothing, and the probability is what to change', async () => {
  const { db } = world.stores.database;
  const { id } = await createSite(db, { name: 'new', adapter: 'simulator', configuration: {}, now: NOW - 100 });
  const queue = { name: 'batch', isDefault: true, maxProcessors: null, maxWalltimeSeconds: 86_400 };
  await saveSiteFacts(db, id, { processors: 64, queues: [queue] }, NOW);
  await db.site.update({ where: { id }, data: { observedAt: new Date(NOW * 1000) } });
  const finishBy = { at: moment(NOW + 12 * HOUR), probability: 0.5 };
  const { bestOffer, userErrors } = await submit({ siteIds: [toGlobalId('Site', id)], finishBy });
  expect(userErrors).toMatchObject([{ code: 'PROMISE_REFUSED', field: 'input.finishBy.probability' }]);
  expect(userErrors[0].message).toMatch(/: new cannot be promised on: .*; use deadlineAt, which promises nothing$/);
  expect(bestOffer).toEqual({ siteName: 'new', probability: 0, earliestAt: null, earliestSiteName: null });
});

test('a job with sizes is promised at one of them, and each is told what it could be promised', async () => {
  const sizes = { list: [2, 8, 16] };
  const speedup = { model: 'AMDAHL', serialShare: 0 };
  const finishBy = { at: moment(NOW + 12 * HOUR), probability: 0.8 };
  const { job: made, userErrors } = await submit({ sizes, speedup, finishBy });
  expect(userErrors).toEqual([]);
  expect(made.deadline.promisedProbability).toBeGreaterThanOrEqual(0.8);
  type Candidate = { processors: number; lostBecause: string | null; finishProbability: number | null };
  const candidates: Candidate[] = made.plan.candidates;
  expect(new Set(candidates.map(({ processors }) => processors))).toEqual(new Set([2, 4, 8, 16]));
  const chosen = candidates.filter(({ lostBecause }) => lostBecause === null);
  expect(chosen).toMatchObject([{ processors: made.processors, finishProbability: made.deadline.promisedProbability }]);
  // On two processors it runs for twice as long: of what is too early for that a larger size is promised.
  const early = { at: moment(NOW + 3600), probability: 0.5 };
  const { job: soon, userErrors: none } = await submit({ sizes, speedup, finishBy: early });
  expect(none).toEqual([]);
  expect(soon.processors).toBeGreaterThan(4);
});

test('a plan tells of every site what it can promise, and nothing is written', async () => {
  const before = await world.countRows();
  const { name: _name, script: _script, ...size } = job;
  const input = { ...size, finishBy: { at: moment(NOW + 12 * HOUR), probability: 0.5 } };
  const { data, errors } = await world.ask(world.tokens.gateway, PLAN, { input });
  expect(errors).toBeUndefined();
  type Candidate = { site: { name: string }; lostBecause: string | null; finishProbability: number | null };
  const stale = (data.plan.candidates as Candidate[]).filter(({ site }) => site.name === 'stale');
  expect(data.plan.chosen.finishProbability).toBeGreaterThanOrEqual(0.5);
  expect(stale.map(({ lostBecause }) => lostBecause)).toContain('STALE');
  expect(stale.every(({ finishProbability }) => finishProbability === null)).toBe(true);
  expect(await world.countRows()).toEqual(before);
});

test.each([
  [{ at: moment(NOW - 60), probability: 0.8 }, {}, 'input.finishBy.at'],
  [{ at: moment(NOW + HOUR), probability: 0 }, {}, 'input.finishBy.probability'],
  [{ at: moment(NOW + HOUR), probability: 1 }, {}, 'input.finishBy.probability'],
  [{ at: moment(NOW + HOUR), probability: 0.995 }, {}, 'input.finishBy.probability'],
  [{ at: moment(NOW + HOUR), probability: 0.8 }, { deadlineAt: moment(NOW + 9 * HOUR) }, 'input.finishBy'],
  [{ at: moment(NOW + 4000 * 24 * HOUR), probability: 0.8 }, {}, 'input.finishBy.at'],
])('finishBy %o with %o is refused by its field', async (finishBy, rest, field) => {
  const before = await world.countRows();
  const { job: made, userErrors } = await submit({ ...rest, finishBy });
  expect(made).toBeNull();
  expect(userErrors).toMatchObject([{ code: 'INVALID', field }]);
  expect(await world.countRows()).toEqual(before);
});

test('a job that comes after others cannot be promised yet', async () => {
  const { job: first } = await submit({});
  const { userErrors } = await submit({
    after: [{ jobId: first.id }],
    finishBy: { at: moment(NOW + 12 * HOUR), probability: 0.8 },
  });
  expect(userErrors).toMatchObject([{ code: 'INVALID', field: 'input.finishBy' }]);
});

test('the same key gets the same promise', async () => {
  const input = { idempotencyKey: 'finish', finishBy: { at: moment(NOW + 12 * HOUR), probability: 0.7 } };
  const [once, again] = [await submit(input), await submit(input)];
  expect(again.job.id).toBe(once.job.id);
});
