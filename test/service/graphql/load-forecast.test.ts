import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createForecaster } from '../../../src/forecast/create-forecaster.ts';
import { fromGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { type ApiWorld, createApiWorld, HOUR, moment, NOW } from './api-world.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
  await vi.waitFor(async () => expect((await stateOf()).isLearning).toBe(false), { timeout: 60_000, interval: 200 });
}, 120_000);
afterAll(() => world.close());

const LOAD = `query Load($id: ID!, $hours: Int!, $slotSeconds: Int! = 3600, $probability: Float! = 0.95) {
  site(id: $id) { name loadForecast(hours: $hours, slotSeconds: $slotSeconds) {
    predictor version madeAt slotSeconds
    slots { startsAt sampleSize processors median: processorsAtMost(probability: 0.5) bound: processorsAtMost(probability: $probability) }
  } }
}`;

function load(token: string, variables: Record<string, unknown>) {
  return world.ask(token, LOAD, { id: world.sites.slow, hours: 24, ...variables });
}

function stateOf() {
  return world.forecaster.stateOf(fromGlobalId(world.sites.slow)?.id ?? '');
}

test('an admin sees the processors that are going to be asked for, hour by hour, with their spread', async () => {
  const { data, errors } = await load(world.tokens.admin, {});
  expect(errors).toBeUndefined();
  const { loadForecast } = data.site;
  expect(loadForecast).toMatchObject({ predictor: 'load/gridcast', madeAt: moment(NOW), slotSeconds: HOUR });
  expect(loadForecast.slots).toHaveLength(24);
  const first = Date.parse(loadForecast.slots[0].startsAt) / 1000;
  expect(first).toBeGreaterThanOrEqual(NOW);
  expect(first).toBeLessThan(NOW + 300);
  for (const [i, slot] of loadForecast.slots.entries()) {
    expect(slot.startsAt).toBe(moment(first + i * HOUR));
    expect(slot.sampleSize).toBeGreaterThan(100);
    expect(slot.processors).toBeGreaterThan(0);
    expect(slot.bound).toBeGreaterThanOrEqual(slot.median);
  }
});

test('slots of five minutes reach a day', async () => {
  const { data } = await load(world.tokens.admin, { hours: 24, slotSeconds: 300 });
  expect(data.site.loadForecast.slots).toHaveLength(288);
  const { errors } = await load(world.tokens.admin, { hours: 25, slotSeconds: 300 });
  expect(errors).toMatchObject([{ message: expect.stringContaining('hours must lie between 1 and 24') }]);
});

test('nobody but admins sees it', async () => {
  for (const token of [world.tokens.gateway, world.tokens.workflow, world.tokens.stranger]) {
    const { data, errors } = await load(token, {});
    expect({ errors, site: data.site }).toEqual({ errors: undefined, site: { name: 'slow', loadForecast: null } });
  }
  expect((await world.ask(null, LOAD, { id: world.sites.slow, hours: 1 })).status).toBe(401);
});

test.each([
  [{ hours: 0 }, 'hours must lie between 1 and 168 with slots of 1 h, got 0'],
  [{ hours: -1 }, 'hours must lie between 1 and 168 with slots of 1 h, got -1'],
  [{ hours: 1_000_000_000 }, 'hours must lie between 1 and 168 with slots of 1 h, got 1000000000'],
  [{ hours: 169 }, 'got 169'],
  [{ slotSeconds: 0 }, 'slotSeconds must be one of 300, 3600, got 0'],
  [{ slotSeconds: -300 }, 'slotSeconds must be one of 300, 3600, got -300'],
  [{ slotSeconds: 1_000_000_000 }, 'got 1000000000'],
  [{ probability: 1 }, 'probability must lie between 0 and 1'],
  [{ probability: -3 }, 'probability must lie between 0 and 1'],
])('%j is refused with what it may be', async (variables, message) => {
  const { errors } = await load(world.tokens.admin, variables);
  expect(errors?.[0]).toMatchObject({ message: expect.stringContaining(message), extensions: { code: 'INVALID' } });
});

test('whoever starts anew says the same once the past is known again', async () => {
  const siteId = fromGlobalId(world.sites.slow)?.id ?? '';
  const query = { slots: 6, slotSeconds: HOUR };
  const before = await world.forecaster.forecastSlots(siteId, 'load', query, NOW);
  const options = { databaseUrl: world.stores.url, predictor: 'wait/qbets', alsoScored: [], freshMilliseconds: 50 };
  const another = createForecaster(options, (error) => {
    throw error;
  });
  try {
    await another.forecastSlots(siteId, 'load', query, NOW);
    await expect.poll(async () => (await another.stateOf(siteId)).isLearning, { timeout: 60_000 }).toBe(false);
    expect(await another.forecastSlots(siteId, 'load', query, NOW)).toEqual(before);
  } finally {
    await another.close();
  }
});
