import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromGlobalId, toGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { createSite, saveSiteFacts } from '../../../src/store/sites.ts';
import { type ApiWorld, createApiWorld, HOUR, moment, NOW, work } from './api-world.ts';
import { CO_ALLOCATE, RESERVE } from './documents.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

const SUBMIT = `mutation Submit($input: SubmitJobInput!) {
  submitJob(input: $input) { job { id state walltimeSeconds walltimeRisk walltimePredictor } userErrors { code field message } }
}`;

const PLAN = `query Plan($input: PlanInput!) {
  plan(input: $input) { chosen { site { name } } candidates {
    site { name } walltimeSeconds lostBecause explanation costProcessorSeconds
    charge { neededProcessorSeconds expectedNeededProcessorSeconds }
    runtime { predictor sampleSize bound: boundSeconds(probability: 0.95) }
    forecast { pointSeconds }
  } }
}`;

const { walltimeSeconds: _stated, ...untimed } = work;
const auto = { ...untimed, walltime: 'AUTO', walltimeRisk: 0.05 };

async function submit(input: object) {
  const { data, errors } = await world.ask(world.tokens.gateway, SUBMIT, { input });
  expect(errors).toBeUndefined();
  return data.submitJob;
}

async function plan(input: object, token = world.tokens.gateway) {
  const { data, errors } = await world.ask(token, PLAN, { input });
  expect(errors).toBeUndefined();
  type Candidate = { site: { name: string }; [field: string]: unknown };
  // Of each site the first, in the queue that it goes to unasked.
  const candidates = (data.plan.candidates as Candidate[]).toReversed();
  return new Map(candidates.map((candidate) => [candidate.site.name, candidate]));
}

/** A site that was observed, of which no job is known. */
async function addNewSite(name: string): Promise<string> {
  const { db } = world.stores.database;
  const { id } = await createSite(db, { name, adapter: 'simulator', configuration: {}, now: NOW - 100 });
  const queue = { name: 'batch', isDefault: true, maxProcessors: null, maxWalltimeSeconds: 86_400 };
  await saveSiteFacts(db, id, { processors: 64, queues: [queue] }, NOW);
  await db.site.update({ where: { id }, data: { observedAt: new Date(NOW * 1000) } });
  return toGlobalId('Site', id);
}

describe('a walltime that is chosen by a risk', () => {
  test('is written down with the risk, in whole minutes, as its forecast advises', async () => {
    const { job, userErrors } = await submit({ ...auto, siteIds: [world.sites.slow] });
    expect(userErrors).toEqual([]);
    // Every job there ran 1,800 s.
    expect(job).toMatchObject({ state: 'REQUESTED', walltimeRisk: 0.05, walltimePredictor: null });
    expect([1800, 1860]).toContain(job.walltimeSeconds);
    const row = await world.stores.database.db.execution.findUniqueOrThrow({
      where: { id: fromGlobalId(job.id)?.id ?? '' },
    });
    expect(row).toMatchObject({ walltimeRisk: 0.05, walltimeAtMostSeconds: null });
  });

  test('is never above what its caller would state', async () => {
    const { job } = await submit({ ...auto, walltimeSeconds: 1000, siteIds: [world.sites.slow] });
    expect(job.walltimeSeconds).toBeLessThanOrEqual(1000);
    expect(job.walltimeSeconds).toBeGreaterThan(0);
  });

  test('a stated one has no risk', async () => {
    const { job } = await submit(work);
    expect(job).toMatchObject({ walltimeSeconds: 1800, walltimeRisk: null, walltimePredictor: null });
  });

  test('is planned for every site, with a charge that is expected and one at most', async () => {
    const byName = await plan({ processors: 4, walltime: 'AUTO', walltimeRisk: 0.05 });
    const quick = byName.get('quick') as unknown as {
      walltimeSeconds: number;
      runtime: { sampleSize: number; bound: number };
      charge: { neededProcessorSeconds: number; expectedNeededProcessorSeconds: number };
    };
    expect([1800, 1860]).toContain(quick.walltimeSeconds);
    expect(quick).toMatchObject({ lostBecause: null, runtime: { predictor: 'runtime/gridcast' } });
    expect(quick.runtime.sampleSize).toBeGreaterThan(100);
    expect(quick.charge.neededProcessorSeconds).toBe(4 * quick.walltimeSeconds);
    expect(quick.charge.expectedNeededProcessorSeconds).toBeLessThanOrEqual(4 * quick.walltimeSeconds);
    expect(quick.charge.expectedNeededProcessorSeconds).toBeGreaterThan(4 * 1500);
  });

  test('a plan with a stated walltime says what is expected, too', async () => {
    const byName = await plan({ processors: 4, walltimeSeconds: 3600 });
    expect(byName.get('quick')).toMatchObject({ charge: { neededProcessorSeconds: 4 * 3600 } });
    const { charge } = byName.get('quick') as unknown as { charge: { expectedNeededProcessorSeconds: number } };
    expect(Math.abs(charge.expectedNeededProcessorSeconds - 4 * 1800)).toBeLessThan(4 * 100);
  });

  test('is refused beyond what a queue allows', async () => {
    const db = world.stores.database.db;
    const siteId = fromGlobalId(world.sites.slow)?.id ?? '';
    await db.queue.updateMany({ where: { siteId, name: 'debug' }, data: { maxWalltimeSeconds: 600 } });
    const { userErrors } = await submit({ ...auto, queue: 'debug', siteIds: [world.sites.slow] });
    expect(userErrors).toMatchObject([{ code: 'NO_ELIGIBLE_SITE', field: 'input.walltimeRisk' }]);
    expect(userErrors[0].message).toMatch(/queue debug of slow allows 10 m: 5 % risk needs that much, accept more/);
    // With less asked for otherwise that is the most, whatever it risks.
    const { job } = await submit({ ...auto, queue: 'debug', walltimeSeconds: 600, siteIds: [world.sites.slow] });
    expect(job.walltimeSeconds).toBeLessThanOrEqual(600);
  });

  test('is refused where nothing is known of the runtime, and planned where it is', async () => {
    const fresh = await addNewSite('fresh');
    const before = await world.countRows();
    const { job, userErrors } = await submit({ ...auto, siteIds: [fresh] });
    expect(job).toBeNull();
    expect(userErrors).toMatchObject([{ code: 'NO_ELIGIBLE_SITE', field: 'input.walltime' }]);
    expect(userErrors[0].message).toMatch(/5 % risk for fresh: nothing is known of how long.*state walltimeSeconds/);
    expect(await world.countRows()).toEqual(before);
    const either = await submit({ ...auto, siteIds: [fresh, world.sites.slow] });
    expect(either.userErrors).toEqual([]);
    const byName = await plan({ processors: 4, walltime: 'AUTO', walltimeRisk: 0.05 });
    expect(byName.get('fresh')).toMatchObject({ lostBecause: 'RUNTIME_UNKNOWN', forecast: null });
    // Who states it is taken in.
    expect((await submit({ ...work, siteIds: [fresh] })).userErrors).toEqual([]);
  });

  test.each([
    ['no risk', { walltimeRisk: null }, 'input.walltimeRisk', /needs walltimeRisk/],
    ['no risk at all', { walltimeRisk: 0 }, 'input.walltimeRisk', /between 0.005 and 0.5, got 0/],
    ['a certain death', { walltimeRisk: 0.6 }, 'input.walltimeRisk', /between 0.005 and 0.5, got 0.6/],
    ['a walltime of nothing', { walltimeSeconds: 0 }, 'input.walltimeSeconds', /got 0/],
    ['a stated walltime with a risk', { walltime: 'STATED', walltimeSeconds: 60 }, 'input.walltimeRisk', /goes with/],
    ['no walltime', { walltime: 'STATED', walltimeRisk: null }, 'input.walltimeSeconds', /is missing/],
  ])('with %s is refused by field and remedy', async (_, change, field, message) => {
    const before = await world.countRows();
    const { job, userErrors } = await submit({ ...auto, ...change });
    expect(job).toBeNull();
    expect(userErrors).toMatchObject([{ code: 'INVALID', field }]);
    expect(userErrors[0].message).toMatch(message);
    expect(await world.countRows()).toEqual(before);
    const { script: _script, name: _name, ...size } = { ...auto, ...change };
    const { errors } = await world.ask(world.tokens.gateway, PLAN, { input: size });
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'INVALID', field } });
  });

  test('a repeated call is answered with the same job, one of another risk is not', async () => {
    const input = { ...auto, idempotencyKey: 'auto-once' };
    const first = await submit(input);
    expect((await submit(input)).job.id).toBe(first.job.id);
    const { userErrors } = await submit({ ...input, walltimeRisk: 0.1 });
    expect(userErrors).toMatchObject([{ code: 'IDEMPOTENCY_MISMATCH' }]);
  });

  test('what is promised needs a stated one', async () => {
    const promise = { ...auto, startAt: moment(NOW + 6 * HOUR), probability: 0.9 };
    const reserved = await world.ask(world.tokens.workflow, RESERVE, { input: promise });
    expect(reserved.data.reserve.userErrors).toMatchObject([{ code: 'INVALID', field: 'input.walltime' }]);
    expect(reserved.data.reserve.userErrors[0].message).toMatch(/state walltimeSeconds, walltimeAdvice tells/);
    const group = { rule: 'ALL', startAt: promise.startAt, probability: 0.5, legs: [work, auto] };
    const together = await world.ask(world.tokens.workflow, CO_ALLOCATE, { input: group });
    expect(together.data.coAllocate.userErrors).toMatchObject([{ code: 'INVALID', field: 'input.legs[1].walltime' }]);
  });

  test("of a neighbour's job nothing is told", async () => {
    const { job } = await submit(auto);
    const { data } = await world.ask(world.tokens.stranger, 'query($id: ID!) { job(id: $id) { walltimeRisk } }', {
      id: job.id,
    });
    expect(data.job).toBeNull();
  });
});

test('an offer says what the work is expected to cost, and at most', async () => {
  const input = { ...work, walltimeSeconds: 3600, startAt: moment(NOW + 6 * HOUR), probability: 0.5 };
  const query = `query($input: ReserveInput!) { reservationOffer(input: $input) { kind
    charge { neededProcessorSeconds expectedNeededProcessorSeconds } } }`;
  const { data, errors } = await world.ask(world.tokens.workflow, query, { input });
  expect(errors).toBeUndefined();
  const { kind, charge } = data.reservationOffer;
  expect([kind, charge.neededProcessorSeconds]).toEqual(['PROMISE', 4 * 3600]);
  expect(Math.abs(charge.expectedNeededProcessorSeconds - 4 * 1800)).toBeLessThan(4 * 100);
});
