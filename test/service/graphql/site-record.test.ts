import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { type NewScore, saveScores } from '../../../src/store/scores.ts';
import { type ApiWorld, createApiWorld, HOUR, moment, NOW, work } from './api-world.ts';
import { RESERVE } from './documents.ts';

const DAY = 24 * HOUR;

let world: ApiWorld;
let siteId: string;

beforeAll(async () => {
  world = await createApiWorld();
  siteId = fromGlobalId(world.sites.slow)?.id ?? '';
  const input = { ...work, startAt: moment(NOW + 6 * HOUR), probability: 0.8, siteIds: [world.sites.slow] };
  expect((await world.ask(world.tokens.workflow, RESERVE, { input })).data.reserve.userErrors).toEqual([]);
  const { db } = world.stores.database;
  const { planId } = await db.forecast.findFirstOrThrow({ where: { siteId } });
  const made = { planId, siteId, version: '1', madeAt: new Date(), observedAt: new Date(), submitAt: new Date() };
  const forecastOf = async (predictor: string, levels: number) =>
    (
      await db.forecast.create({
        data: {
          ...{ ...made, predictor, processors: 1, sampleSize: 100, point: 50 },
          percentiles: Array.from({ length: levels }, (_, index) => index + 1),
        },
      })
    ).id;
  const [whole, short] = [await forecastOf('wait/whole', 99), await forecastOf('wait/short', 80)];
  const score = (one: Partial<NewScore>): NewScore => ({
    ...{ siteId, forecastId: null, executionId: randomUUID(), quantity: 'wait', predictor: 'wait/whole' },
    ...{ metric: 'POINT', predicted: 50, actual: 0, scoredAt: NOW - 60, ...one },
  });
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
  await saveScores(db, [
    ...hundred.map((actual) => score({ forecastId: whole, actual, scoredAt: NOW - 60 - 2 * DAY })),
    // Twice as long as was said.
    ...hundred.map((actual) => score({ forecastId: short, actual: 2 * actual, predictor: 'wait/short' })),
    ...hundred.map((index) =>
      score({ metric: 'PROMISE', predicted: index > 50 ? 0.9 : 0.6, actual: Number(index % 10 > 0) }),
    ),
    ...hundred.map((index) => score({ metric: 'BOUND95', predicted: 50, actual: index })),
  ]);
});
afterAll(() => world.close());

const RELIABILITY = `query Reliability($id: ID!) {
  site(id: $id) { reliability { quantity predictor stated observed count } }
}`;

test('forecasts are compared at every percentile that they state, promises by what was promised', async () => {
  const { data, errors } = await world.ask(world.tokens.gateway, RELIABILITY, { id: world.sites.slow });
  expect(errors).toBeUndefined();
  const of = (quantity: string, predictor: string) =>
    data.site.reliability
      .filter((point: { quantity: string; predictor: string }) => point.quantity === quantity)
      .filter((point: { predictor: string }) => point.predictor === predictor)
      .map(({ stated, observed, count }: Record<string, number>) => [stated, observed, count]);
  const levels = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95];
  expect(of('wait', 'wait/whole')).toEqual(levels.map((level) => [level, level, 100]));
  expect(of('wait', 'wait/short')).toEqual(levels.slice(0, 8).map((level) => [level, level / 2, 100]));
  expect(of('promise', 'wait/whole')).toEqual([
    [expect.closeTo(0.6), 0.9, 50],
    [expect.closeTo(0.9), 0.9, 50],
  ]);
});

test('of another site nothing of that is told', async () => {
  const { data } = await world.ask(world.tokens.gateway, RELIABILITY, { id: world.sites.quick });
  expect(data.site.reliability).toEqual([]);
});

const DAYS = `query Days($id: ID!, $days: Int!) { site(id: $id) { scoreDays(days: $days) {
  startsAt quantity predictor count meanAbsoluteError coverage95 promises promisedProbability keptShare
} } }`;

test('scores are told day by day, as far back as is asked', async () => {
  const ask = (days: number) => world.ask(world.tokens.gateway, DAYS, { id: world.sites.slow, days });
  const today = moment(NOW - (NOW % DAY));
  const short = { quantity: 'wait', predictor: 'wait/short', count: 100, coverage95: null, promises: 0 };
  const whole = { quantity: 'wait', predictor: 'wait/whole', promises: 100, coverage95: 0.5, keptShare: 0.9 };
  const { data } = await ask(1);
  expect(data.site.scoreDays).toMatchObject([
    { ...short, startsAt: today },
    { ...whole, startsAt: today, count: 0, meanAbsoluteError: null, promisedProbability: expect.closeTo(0.75) },
  ]);
  const { data: longer } = await ask(3);
  expect(longer.site.scoreDays).toHaveLength(3);
  expect(longer.site.scoreDays[0]).toMatchObject({ predictor: 'wait/whole', count: 100, meanAbsoluteError: 25 });
  for (const days of [0, 93]) {
    expect((await ask(days)).errors?.[0]?.message).toBe(`days must lie between 1 and 92, got ${days}`);
  }
});

const WAITS = `query Waits($id: ID!, $processors: [Int!]!, $walltimeSeconds: [Int!]!) { site(id: $id) {
  waitsBySize(processors: $processors, walltimeSeconds: $walltimeSeconds) {
    processors walltimeSeconds explanation forecast { predictor boundSeconds(probability: 0.5) }
  }
} }`;

test('the wait is told for every size with every walltime, and why there is none', async () => {
  const asked = { id: world.sites.quick, processors: [1, 1000], walltimeSeconds: [600, 3600] };
  const { data, errors } = await world.ask(world.tokens.gateway, WAITS, asked);
  expect(errors).toBeUndefined();
  const forecast = { predictor: 'wait/qbets', boundSeconds: expect.any(Number) };
  expect(data.site.waitsBySize).toEqual([
    { processors: 1, walltimeSeconds: 600, explanation: null, forecast },
    { processors: 1, walltimeSeconds: 3600, explanation: null, forecast },
    { processors: 1000, walltimeSeconds: 600, explanation: expect.stringContaining('64'), forecast: null },
    { processors: 1000, walltimeSeconds: 3600, explanation: expect.stringContaining('64'), forecast: null },
  ]);
});

test.each([
  [{ processors: [] }, 'processors must be 1 to 8 numbers, got 0'],
  [{ walltimeSeconds: [1, 2, 3, 4, 5, 6, 7, 8, 9] }, 'walltimeSeconds must be 1 to 8 numbers, got 9'],
  [{ processors: [-1] }, 'processors must be'],
  [{ walltimeSeconds: [0] }, 'walltimeSeconds must be'],
])('%j is refused with what it may be', async (wrong, message) => {
  const asked = { id: world.sites.quick, processors: [1], walltimeSeconds: [600], ...wrong };
  const { errors } = await world.ask(world.tokens.gateway, WAITS, asked);
  expect(errors?.[0]).toMatchObject({ message: expect.stringContaining(message), extensions: { code: 'INVALID' } });
});

test('who has learned a site, and how old that is, is told to admins alone', async () => {
  const data = { ownerId: 7, epoch: 1_000_000, until: new Date(Date.now() - 60_000), costSeconds: 2.5, checkpoint: 3 };
  const { db } = world.stores.database;
  // It lives, so nobody takes the site from it.
  await db.forecastingProcess.create({ data: { id: 7, until: new Date(Date.now() + HOUR * 1000) } });
  await db.siteOwner.upsert({ where: { siteId }, create: { siteId, ...data }, update: data });
  const MODEL = `query Model($id: ID!) { site(id: $id) {
    model { ownerId ownedSeconds costSeconds checkpoint checkpointAgeSeconds fault }
  } }`;
  const { data: seen } = await world.ask(world.tokens.admin, MODEL, { id: world.sites.slow });
  expect(seen.site.model).toMatchObject({ ownerId: 7, costSeconds: 2.5, checkpoint: 3, fault: null });
  expect(seen.site.model.ownedSeconds).toBeGreaterThanOrEqual(60);
  for (const token of [world.tokens.gateway, world.tokens.workflow, world.tokens.stranger]) {
    const { data: hidden } = await world.ask(token, MODEL, { id: world.sites.slow });
    expect(hidden.site.model).toBeNull();
  }
});
