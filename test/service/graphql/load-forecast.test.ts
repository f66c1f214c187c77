import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createForecaster } from '../../../src/forecast/create-forecaster.ts';
import { fromGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { type ApiWorld, addSite, createApiWorld, HOUR, moment, NOW } from './api-world.ts';

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

const IO = `query Io($id: ID!, $hours: Int!) {
  site(id: $id) { name ioForecast(hours: $hours) {
    madeAt ageSeconds slotSeconds burstBytesPerSecond jobs jobsLeftOut
    slots { startsAt readBytesPerSecond writtenBytesPerSecond isBurst }
  } }
}`;

/** A terabyte of user 3, a megabyte of the others. */
const USE_OF = ({ user }: { user: string | null }) => {
  const [cpuSeconds, memoryBytes, writtenBytes] = [null, null, user === 'user3' ? 1e12 : 1e6];
  return { cpuSeconds, memoryBytes, readBytes: 1e6, writtenBytes };
};

test('an admin sees the IO of a site that tells bytes: the job that writes much is a burst while it is to run', async () => {
  const job = { key: null, queue: 'batch', processors: 128, requestedWalltimeSeconds: 3600, submitAt: NOW - 900 };
  const running = [{ ...job, nativeId: 'a', user: 'user1', startAt: NOW - 900 }];
  const waiting = [
    { ...job, nativeId: 'b', user: 'user3', processors: 256 },
    { ...job, nativeId: 'c', user: 'user3', processors: 9999 },
  ];
  const told = { waitSeconds: 600, observedAt: NOW - 30, running, waiting, useOf: USE_OF };
  const id = await addSite(world.stores, 'writing', 256, told);
  const { data, errors } = await world.ask(world.tokens.admin, IO, { id, hours: 2 });
  expect(errors).toBeUndefined();
  const { ioForecast } = data.site;
  expect(ioForecast).toMatchObject({ madeAt: moment(NOW), ageSeconds: 30, slotSeconds: 300, jobs: 2, jobsLeftOut: 1 });
  expect(ioForecast.slots).toHaveLength(24);
  const bursts = ioForecast.slots.flatMap(({ isBurst }: { isBurst: boolean }, slot: number) => (isBurst ? [slot] : []));
  // The running job of half an hour goes on for 15 minutes, then the waiting one writes for half an hour.
  expect(bursts).toEqual([3, 4, 5, 6, 7, 8]);
  expect(ioForecast.slots[4].writtenBytesPerSecond).toBeCloseTo(1e12 / 1800, -7);
  expect(ioForecast.burstBytesPerSecond).toBeGreaterThan(0);
  for (const hours of [0, 25, -1]) {
    const refused = await world.ask(world.tokens.admin, IO, { id, hours });
    expect(refused.errors).toMatchObject([{ message: `hours must be a whole number from 1 to 24, got ${hours}` }]);
  }
});

test('nobody else sees it, and nobody where nothing is told of bytes', async () => {
  for (const token of [world.tokens.gateway, world.tokens.workflow, world.tokens.stranger, world.tokens.admin]) {
    const { data, errors } = await world.ask(token, IO, { id: world.sites.slow, hours: 1 });
    expect({ errors, site: data.site }).toEqual({ errors: undefined, site: { name: 'slow', ioForecast: null } });
  }
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
