import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { saveSiteFacts } from '../../../src/store/sites.ts';
import { type ApiWorld, addSite, createApiWorld, moment, NOW, work } from './api-world.ts';
import { IMPORT_HISTORY, REGISTER_SITE, RESERVE, SUBMIT } from './documents.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

describe('texts and numbers that nothing can store', () => {
  const SITE = 'query($name: String) { site(name: $name) { id } }';
  const CURSOR = 'query($after: String) { jobs(after: $after) { totalCount } }';
  const cursorOf = (text: string) => ({ after: Buffer.from(text).toString('base64url') });
  const id = '00000000-0000-7000-8000-000000000000';
  const queries = [
    ['NUL in a name', SITE, { name: 'qui\0ck' }, 'name'],
    ['half a surrogate pair', SITE, { name: 'qui\ud800ck' }, 'name'],
    ['a cursor beyond time', CURSOR, cursorOf(`${'9'.repeat(200)}:${id}`), 'after'],
    ['a cursor beyond the database', CURSOR, cursorOf(`99999999999999:${id}`), 'after'],
    ['a cursor of dashes', CURSOR, cursorOf(`1780000000:${'-'.repeat(36)}`), 'after'],
    ['a huge cursor', CURSOR, { after: 'A'.repeat(50_000) }, 'after'],
    ['a huge id', 'query($id: ID!) { node(id: $id) { id } }', { id: 'A'.repeat(50_000) }, 'id'],
    [
      'NUL in a user',
      'query($siteId: ID!, $input: ForecastInput!) { forecast(siteId: $siteId, input: $input) { version } }',
      { siteId: 'x', input: { processors: 1, walltimeSeconds: 60, user: 'a\0b' } },
      'input.user',
    ],
  ] as const;
  test.each(queries)('%s is bad input', async (_what, query, variables, field) => {
    const { errors } = await world.ask(world.tokens.admin, query, variables);
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID', field } }]);
  });

  test.each([
    'jobs(siteId: $siteId) { totalCount }',
    'predictorScores(siteId: $siteId) { quantity }',
  ])('an empty id is that of no site, not of all: %s', async (field) => {
    const query = `query($siteId: ID) { ${field} }`;
    const { errors } = await world.ask(world.tokens.admin, query, { siteId: '' });
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND', field: 'siteId' } }]);
    expect((await world.ask(world.tokens.admin, query, { siteId: null })).errors).toBeUndefined();
  });

  test.each([
    '0000-06-01T00:00:00Z',
    '0001-01-01T00:00:00+05:00',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59-05:00',
  ])('jobs are found by the moment %s', async (at) => {
    const query = 'query($filter: JobFilterInput) { jobs(filter: $filter) { totalCount } }';
    const since = await world.ask(world.tokens.admin, query, { filter: { submittedAfter: at } });
    const until = await world.ask(world.tokens.admin, query, { filter: { submittedBefore: at } });
    const all = await world.ask(world.tokens.admin, query, {});
    expect(since.data.jobs.totalCount + until.data.jobs.totalCount).toBe(all.data.jobs.totalCount);
  });

  const mutations = [
    ['NUL in the adapter', { name: 'x', adapter: 'a\0', configuration: {} }, 'input.adapter'],
    [
      'NUL in a configuration',
      { name: 'x', adapter: 'simulator', configuration: { url: ['a\0'] } },
      'input.configuration.url[0]',
    ],
    [
      'NUL in its names',
      { name: 'x', adapter: 'simulator', configuration: { url: 'x', 'a\0': 1 } },
      'input.configuration',
    ],
    [
      'half a surrogate pair',
      { name: 'x', adapter: 'simulator', configuration: { url: '\udc00' } },
      'input.configuration.url',
    ],
    [
      'NUL in a key',
      { name: 'x', adapter: 'simulator', configuration: { url: 'x' }, idempotencyKey: 'a\0' },
      'input.idempotencyKey',
    ],
  ] as const;
  test.each(mutations)('%s is a mistake of the caller', async (_what, input, field) => {
    const before = await world.countRows();
    const { data, errors } = await world.ask(world.tokens.admin, REGISTER_SITE, { input });
    expect(errors).toBeUndefined();
    expect(data.registerSite).toMatchObject({ site: null, userErrors: [{ code: 'INVALID', field }] });
    expect(data.registerSite.userErrors[0].message).not.toContain('input.');
    expect(await world.countRows()).toEqual(before);
  });

  test.each([
    ['1e999', '1 0 1e999 10 4 -1 -1 4 10 -1 1 1 1 1 1 -1 -1 -1'],
    ['1e300', '1 1e300 1 10 4 -1 -1 4 10 -1 1 1 1 1 1 -1 -1 -1'],
    ['a size of 1e15', '1 0 1 10 1000000000000000 -1 -1 1000000000000000 10 -1 1 1 1 1 1 -1 -1 -1'],
    ['a walltime of 1e300', '1 0 1 10 4 -1 -1 4 1e300 -1 1 1 1 1 1 -1 -1 -1'],
    ['a number of 1e300', '1e300 0 1 10 4 -1 -1 4 10 -1 1 1e300 1 1 1 -1 -1 -1'],
    ['a past before time', '1 -1e15 1 10 4 -1 -1 4 10 -1 1 1 1 1 1 -1 -1 -1'],
  ])('a log with %s is taken or refused, never a fault of ours', async (_what, line) => {
    const input = { siteId: world.sites.quick, content: `${line}\n`, originAt: moment(NOW - 86_400) };
    const { data, errors } = await world.ask(world.tokens.admin, IMPORT_HISTORY, { input });
    expect(errors).toBeUndefined();
    expect(data.importHistory).toBeTruthy();
  });

  test.each([
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '0000-01-01T00:00:00Z',
  ])('the moment %s is judged', async (at) => {
    const log = '1 0 1 10 4 -1 -1 4 10 -1 1 1 1 1 1 -1 -1 -1\n';
    const imported = await world.ask(world.tokens.admin, IMPORT_HISTORY, {
      input: { siteId: world.sites.quick, content: log, originAt: at },
    });
    expect(imported.errors?.map(({ extensions }) => extensions.code) ?? []).not.toContain('INTERNAL_SERVER_ERROR');
    const submitted = await world.ask(world.tokens.admin, SUBMIT, { input: { ...work, deadlineAt: at } });
    expect(submitted.data.submitJob.userErrors).toMatchObject([{ code: 'INVALID', field: 'input.deadlineAt' }]);
    const window = { ...work, startAt: moment(NOW + 21_600), probability: 0.5, mode: 'WINDOW', windowOpensAt: at };
    const reserved = await world.ask(world.tokens.admin, RESERVE, { input: window });
    expect(reserved.errors).toBeUndefined();
  });
});

describe('an empty list of sites', () => {
  test('is no word for all of them', async () => {
    const { data } = await world.ask(world.tokens.admin, SUBMIT, { input: { ...work, siteIds: [] } });
    expect(data.submitJob.userErrors).toEqual([
      { code: 'INVALID', field: 'input.siteIds', message: expect.stringContaining('leave it out for every one') },
    ]);
    const query =
      'query($siteIds: [ID!], $input: ForecastInput!) { forecasts(siteIds: $siteIds, input: $input) { explanation } }';
    const { errors } = await world.ask(world.tokens.admin, query, {
      siteIds: [],
      input: { processors: 1, walltimeSeconds: 60 },
    });
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID', field: 'siteIds' } }]);
  });
});

describe('a forecast', () => {
  const ONE =
    'query($siteId: ID!, $input: ForecastInput!) { forecast(siteId: $siteId, input: $input) { pointSeconds } }';
  const ALL = `query($siteIds: [ID!], $input: ForecastInput!) {
    forecasts(siteIds: $siteIds, input: $input) { site { name } impossibleBecause explanation forecast { pointSeconds } }
  }`;
  test.each([
    ['processors', { processors: 1000, walltimeSeconds: 60 }, /1000 processors asked for, quick has 64/],
    ['walltimeSeconds', { processors: 1, walltimeSeconds: 90_000 }, /allows 1 d/],
    ['queue', { processors: 1, walltimeSeconds: 60, queue: 'night' }, /quick has no queue night; it has batch, debug/],
  ])('of a job that a site could never run is an error that names %s', async (field, input, says) => {
    const { errors } = await world.ask(world.tokens.gateway, ONE, { siteId: world.sites.quick, input });
    expect(errors).toMatchObject([
      { message: expect.stringMatching(says), extensions: { code: 'INVALID', field: `input.${field}` } },
    ]);
  });

  test('of several sites is answered by each, also by those that could never run it', async () => {
    const { data } = await world.ask(world.tokens.gateway, ALL, { input: { processors: 100, walltimeSeconds: 60 } });
    expect(data.forecasts).toEqual([
      expect.objectContaining({ site: { name: 'quick' }, impossibleBecause: 'TOO_LARGE', forecast: null }),
      expect.objectContaining({ site: { name: 'slow' }, impossibleBecause: null, explanation: null }),
      expect.objectContaining({ site: { name: 'stale' }, impossibleBecause: 'TOO_LARGE' }),
    ]);
    expect(data.forecasts[1].forecast.pointSeconds).toBeGreaterThan(0);
    expect(data.forecasts[0].explanation).toContain('quick has 64');
  });

  test('of sites that name their queues differently tells which has none of that name', async () => {
    const { siteId: other } = await addNightSite();
    const siteIds = [world.sites.quick, other];
    const input = { processors: 1, walltimeSeconds: 60, queue: 'night' };
    const { data } = await world.ask(world.tokens.gateway, ALL, { siteIds, input });
    const byName = Object.fromEntries(
      data.forecasts.map((answer: { site: { name: string } }) => [answer.site.name, answer]),
    );
    expect(byName.quick).toMatchObject({ impossibleBecause: 'UNKNOWN_QUEUE', forecast: null });
    expect(byName.owls).toMatchObject({ impossibleBecause: null, forecast: { pointSeconds: expect.any(Number) } });
  });
});

describe('a subscription', () => {
  test('over HTTP is told where to go', async () => {
    const { status, errors } = await world.ask(world.tokens.admin, 'subscription { jobChanged { id } }');
    expect(status).toBe(400);
    expect(errors).toMatchObject([
      { message: expect.stringContaining('graphql-ws'), extensions: { code: 'SUBSCRIPTION_OVER_HTTP' } },
    ]);
  });
});

async function addNightSite(): Promise<{ siteId: string }> {
  const siteId = await addSite(world.stores, 'owls', 64, { waitSeconds: 300, observedAt: NOW - 30 });
  const decoded = fromGlobalId(siteId);
  if (!decoded) throw new Error('a site has a global id');
  const night = { name: 'night', isDefault: true, maxProcessors: null, maxWalltimeSeconds: 86_400 };
  await saveSiteFacts(world.stores.database.db, decoded.id, { processors: 64, queues: [night] }, NOW);
  return { siteId };
}
