import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { type ApiWorld, createApiWorld, HOUR, moment, NOW, work } from './api-world.ts';
import { RESERVE, SUBMIT } from './documents.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

const RUNTIME = `query Runtime($id: ID!) {
  job(id: $id) { expectedEndAt runtime {
    predictor version madeAt observedAt sampleSize pointSeconds first: boundSeconds(probability: 0.01) last: boundSeconds(probability: 0.99)
    within: probabilityWithin(seconds: 1800)
  } }
}`;

async function submit(): Promise<string> {
  const input = { ...work, walltimeSeconds: HOUR };
  const { data } = await world.ask(world.tokens.gateway, SUBMIT, { input });
  expect(data.submitJob.userErrors).toEqual([]);
  return data.submitJob.job.id;
}

/** As a worker would write it. */
async function become(id: string, change: object): Promise<void> {
  const { db } = world.stores.database;
  await db.execution.update({ where: { id: fromGlobalId(id)?.id ?? '' }, data: change });
}

function at(site: string, state: string, startedAt: number | null) {
  return {
    ...{ siteId: fromGlobalId(site)?.id, siteQueue: 'batch', state, submittedWalltimeSeconds: HOUR },
    startedAt: startedAt === null ? null : new Date(startedAt * 1000),
  };
}

async function runtimeOf(id: string, token = world.tokens.gateway) {
  const { data, errors } = await world.ask(token, RUNTIME, { id });
  expect(errors).toBeUndefined();
  return data.job;
}

test('a job without a site has no runtime, nor has one that has ended', async () => {
  const id = await submit();
  expect(await runtimeOf(id)).toEqual({ expectedEndAt: null, runtime: null });
  await become(id, {
    ...at(world.sites.slow, 'ENDED', NOW - 600),
    outcome: 'COMPLETED',
    endedAt: new Date(NOW * 1000),
  });
  expect(await runtimeOf(id)).toEqual({ expectedEndAt: null, runtime: null });
});

test('a job that waits is expected to run like others, one that runs no less than it has run', async () => {
  const id = await submit();
  await become(id, at(world.sites.slow, 'QUEUED', null));
  const waiting = await runtimeOf(id);
  // Every job there ran 1,800 s of 3,600.
  expect(waiting).toMatchObject({ expectedEndAt: null, runtime: { predictor: 'runtime/gridcast', within: 0.99 } });
  expect(waiting.runtime.pointSeconds).toBeCloseTo(1800, 0);
  expect(waiting.runtime.sampleSize).toBeGreaterThan(100);
  await become(id, at(world.sites.slow, 'RUNNING', NOW - 600));
  const early = await runtimeOf(id);
  expect(early.runtime.pointSeconds).toBeCloseTo(1800, 0);
  expect(early.expectedEndAt).toBe(moment(NOW - 600 + early.runtime.pointSeconds));
  await become(id, at(world.sites.slow, 'RUNNING', NOW - 3000));
  const late = await runtimeOf(id);
  // Beyond all that is known there it ends anywhere before its walltime.
  expect(late.runtime.first).toBeGreaterThan(3000);
  expect(late.runtime.last).toBeLessThanOrEqual(HOUR);
  expect(late.runtime).toMatchObject({ within: 0, madeAt: moment(NOW) });
  expect(Date.parse(late.expectedEndAt)).toBeGreaterThan(NOW * 1000);
  expect(Date.parse(late.expectedEndAt)).toBeLessThanOrEqual((NOW + 600) * 1000);
});

test('what a reservation holds its processors for is no part of its runtime', async () => {
  const input = { ...work, walltimeSeconds: HOUR, startAt: moment(NOW + 6 * HOUR), probability: 0.5 };
  const { data } = await world.ask(world.tokens.workflow, RESERVE, { input });
  expect(data.reserve.userErrors).toEqual([]);
  const { id } = data.reserve.reservation.job;
  await become(id, at(world.sites.slow, 'RUNNING', NOW - 3000));
  const held = await runtimeOf(id);
  expect(held.runtime.pointSeconds).toBeCloseTo(1800, 0);
  expect(held.expectedEndAt).toBe(moment(NOW + 6 * HOUR + held.runtime.pointSeconds));
});

test("of a neighbour's job nothing is told", async () => {
  const id = await submit();
  await become(id, at(world.sites.slow, 'RUNNING', NOW - 600));
  expect(await runtimeOf(id, world.tokens.stranger)).toBeNull();
});
