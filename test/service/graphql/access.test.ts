import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { revokeToken } from '../../../src/store/principals.ts';
import { issueToken } from '../issue-token.ts';
import { type ApiWorld, createApiWorld, HOUR, moment, NOW, unknownId, work } from './api-world.ts';
import {
  CANCEL_CO_ALLOCATION,
  CANCEL_JOB,
  CANCEL_RESERVATION,
  CO_ALLOCATE,
  DRAIN_SITE,
  IMPORT_HISTORY,
  REGISTER_SITE,
  RESERVE,
  SUBMIT,
  UPDATE_SITE,
} from './documents.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

const reservation = { ...work, startAt: moment(NOW + 6 * HOUR), probability: 0.9 };
const group = { rule: 'ALL', startAt: moment(NOW + 12 * HOUR), probability: 0.5, legs: [work, work] };

describe('tokens', () => {
  test('nobody gets in without one', async () => {
    const before = await world.countRows();
    for (const query of ['{ viewer { name } }', '{ sites { name } }', '{ __schema { types { name } } }']) {
      const { status, errors, data, headers } = await world.ask(null, query);
      expect({ status, data }).toEqual({ status: 401, data: undefined });
      expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
      expect(headers.get('www-authenticate')).toBe('Bearer');
    }
    expect((await world.ask(null, SUBMIT, { input: work })).status).toBe(401);
    expect(await world.countRows()).toEqual(before);
  });

  test('an idle connection is kept for longer than proxies keep theirs', async () => {
    const { headers } = await world.ask(world.tokens.gateway, '{ viewer { name } }');
    const [, seconds] = /timeout=(\d+)/.exec(headers.get('keep-alive') ?? '') ?? [];
    expect(Number(seconds)).toBeGreaterThan(60);
  });

  test('monitors may ask whether anybody is there', async () => {
    expect(await world.ask(null, '{ __typename }')).toMatchObject({ status: 200, data: { __typename: 'Query' } });
  });

  test.each([
    '{ sitez { name } }',
    '{ __typename sites { nam } }',
    '{ __typename(colour: 1) }',
    '{ __typename { x } }',
    'query($x: Sit) { __typename }',
    '{ __typename @deprecate }',
    '{ ...F } fragment F on Quer { __typename }',
    'mutation { submitJobb }',
    'subscription { jobChange { id } }',
    '{ __type(name: "Site") { name } }',
    '{',
  ])('without one nothing of the schema is learned: %s', async (query) => {
    const { status, errors } = await world.ask(null, query);
    expect(status).toBe(401);
    expect(errors).toMatchObject([
      { message: 'send a bearer token in the authorization header', extensions: { code: 'UNAUTHENTICATED' } },
    ]);
    const answer = await fetch(`${world.api.url}?query=${encodeURIComponent(query)}`, {
      headers: { 'apollo-require-preflight': '1' },
    });
    expect(answer.status).toBe(401);
  });

  test('a wrong one is told so, even by the monitor', async () => {
    for (const query of ['{ __typename }', '{ viewer { name } }']) {
      const { status, errors } = await world.ask('gct_wrong', query);
      expect(status).toBe(401);
      expect(errors).toMatchObject([
        { message: expect.stringContaining('unknown'), extensions: { code: 'UNAUTHENTICATED' } },
      ]);
    }
  });

  test('a revoked one is no good any more', async () => {
    const { db } = world.stores.database;
    const token = await issueToken(db, world.principal.id, NOW, null);
    expect((await world.ask(token, '{ viewer { name } }')).status).toBe(200);
    await revokeToken(db, token, NOW);
    expect((await world.ask(token, '{ viewer { name } }')).status).toBe(401);
  });

  test('tell who is calling', async () => {
    const { data } = await world.ask(world.tokens.workflow, '{ serverTime viewer { name role tenant } }');
    expect(data).toEqual({
      serverTime: moment(NOW),
      viewer: { name: 'workflow', role: 'WORKFLOW', tenant: 'physics' },
    });
  });

  test('never appear in the log, nor do scripts', async () => {
    await world.ask(world.tokens.workflow, SUBMIT, { input: { ...work, script: 'secret-script' } });
    await world.ask('gct_wrong', '{ viewer { name } }');
    const log = JSON.stringify(world.logged);
    for (const secret of [...Object.values(world.tokens), 'gct_wrong', 'secret-script'])
      expect(log).not.toContain(secret);
    expect(log).toContain('"operationName":"Submit"');
  });
});

describe('request ids', () => {
  const send = (headers: Record<string, string>) =>
    fetch(world.api.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${world.tokens.gateway}`, ...headers },
      body: JSON.stringify({ query: SUBMIT, variables: { input: { ...work, name: 'traced' } } }),
    });

  test('of the caller are kept, sent back, logged and written down', async () => {
    const response = await send({ 'x-request-id': 'gateway-77' });
    expect(response.headers.get('x-request-id')).toBe('gateway-77');
    expect(world.logged.at(-1)).toMatchObject({
      requestId: 'gateway-77',
      principal: 'gateway',
      tenant: 'physics',
      msg: 'graphql',
    });
    expect(Number(world.logged.at(-1)?.milliseconds)).toBeGreaterThan(0);
    const { db } = world.stores.database;
    expect(await db.execution.count({ where: { requestId: 'gateway-77' } })).toBe(1);
    expect(await db.outbox.count({ where: { requestId: 'gateway-77' } })).toBe(1);
  });

  test('are made where there is none, or a harmful one', async () => {
    for (const headers of [{}, { 'x-request-id': 'a b<script>' }]) {
      expect((await send(headers)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});

describe('roles', () => {
  const site = { name: 'fresh', adapter: 'simulator', configuration: { url: 'http://127.0.0.1:1' } };
  const FORBIDDEN: [string, keyof ApiWorld['tokens'], string, string, () => object][] = [
    ['reserve', 'gateway', RESERVE, 'reserve', () => reservation],
    ['coAllocate', 'gateway', CO_ALLOCATE, 'coAllocate', () => group],
    ['cancelReservation', 'gateway', CANCEL_RESERVATION, 'cancelReservation', () => ({ id: unknownId('Reservation') })],
    [
      'cancelCoAllocation',
      'gateway',
      CANCEL_CO_ALLOCATION,
      'cancelCoAllocation',
      () => ({ id: unknownId('CoAllocation') }),
    ],
    ['registerSite', 'workflow', REGISTER_SITE, 'registerSite', () => site],
    ['updateSite', 'workflow', UPDATE_SITE, 'updateSite', () => ({ id: world.sites.quick, name: 'mine' })],
    ['drainSite', 'workflow', DRAIN_SITE, 'drainSite', () => ({ id: world.sites.quick })],
    ['importHistory', 'workflow', IMPORT_HISTORY, 'importHistory', () => ({ siteId: world.sites.quick, content: '' })],
  ];

  test.each(FORBIDDEN)('%s is not for a %s', async (_name, who, document, field, input) => {
    const before = await world.countRows();
    const { data } = await world.ask(world.tokens[who], document, { input: input() });
    expect(data[field].userErrors).toMatchObject([{ code: 'FORBIDDEN', field: null }]);
    expect(await world.countRows()).toEqual(before);
  });

  test('a gateway may not look for offers either', async () => {
    const { errors } = await world.ask(
      world.tokens.gateway,
      'query($input: ReserveInput!) { reservationOffer(input: $input) { kind } }',
      { input: reservation },
    );
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });

  test('sites are for everybody to read', async () => {
    for (const token of Object.values(world.tokens)) {
      const { data } = await world.ask(
        token,
        '{ sites { name state stale freeProcessors } predictorScores { count } }',
      );
      expect(data.sites).toEqual([
        { name: 'quick', state: 'ACTIVE', stale: false, freeProcessors: 32 },
        { name: 'slow', state: 'ACTIVE', stale: false, freeProcessors: 128 },
        { name: 'stale', state: 'ACTIVE', stale: true, freeProcessors: 32 },
      ]);
    }
  });
});

describe('tenants', () => {
  test("another one's things do not exist: the answers are those for ids of nothing", async () => {
    const ask = (document: string, input: object) => world.ask(world.tokens.workflow, document, { input });
    const job = (await ask(SUBMIT, work)).data.submitJob.job.id;
    const promise = (await ask(RESERVE, reservation)).data.reserve.reservation;
    const together = (await ask(CO_ALLOCATE, group)).data.coAllocate.coAllocation.id;
    const before = await world.countRows();
    const probe = async (ids: Record<'job' | 'reservation' | 'coAllocation', string>) => {
      const look = await world.ask(
        world.tokens.stranger,
        `query($job: ID!, $reservation: ID!, $coAllocation: ID!) {
          job(id: $job) { id } reservation(id: $reservation) { id } coAllocation(id: $coAllocation) { id }
          a: node(id: $job) { id } b: node(id: $reservation) { id } c: node(id: $coAllocation) { id }
          jobs { totalCount } reservations { totalCount } coAllocations { totalCount }
        }`,
        ids,
      );
      const cancel = (document: string, id: string) => world.ask(world.tokens.stranger, document, { input: { id } });
      return {
        look: { data: look.data, errors: look.errors },
        job: (await cancel(CANCEL_JOB, ids.job)).data,
        reservation: (await cancel(CANCEL_RESERVATION, ids.reservation)).data,
        coAllocation: (await cancel(CANCEL_CO_ALLOCATION, ids.coAllocation)).data,
      };
    };
    const theirs = await probe({ job, reservation: promise.id, coAllocation: together });
    const nothing = await probe({
      job: unknownId('Job'),
      reservation: unknownId('Reservation'),
      coAllocation: unknownId('CoAllocation'),
    });
    const garbage = await probe({ job: 'x', reservation: '', coAllocation: 'eA==' });
    expect(theirs).toEqual(nothing);
    expect(garbage).toEqual(nothing);
    expect(theirs.look.data).toEqual({
      job: null,
      reservation: null,
      coAllocation: null,
      a: null,
      b: null,
      c: null,
      jobs: { totalCount: 0 },
      reservations: { totalCount: 0 },
      coAllocations: { totalCount: 0 },
    });
    expect(await world.countRows()).toEqual(before);
  });
});

describe('a job has an owner', () => {
  const submitted = async (token: string) =>
    (await world.ask(token, SUBMIT, { input: work })).data.submitJob.job.id as string;
  const cancel = async (token: string, id: string) =>
    (await world.ask(token, CANCEL_JOB, { input: { id } })).data.cancelJob.userErrors;

  test('who is shown to everybody in the tenant', async () => {
    const query = 'query($id: ID!) { job(id: $id) { owner } viewer { name } }';
    const id = await submitted(world.tokens.gateway);
    const own = await world.ask(world.tokens.gateway, query, { id });
    expect(own.data.job.owner).toBe(own.data.viewer.name);
    const others = await world.ask(world.tokens.admin, query, { id });
    expect(others.data.job.owner).toBe(own.data.viewer.name);
    expect(others.data.viewer.name).not.toBe(own.data.viewer.name);
  });

  test('whom a gateway is to be, to cancel it', async () => {
    const id = await submitted(world.tokens.admin);
    const [error] = await cancel(world.tokens.gateway, id);
    expect(error).toMatchObject({ code: 'FORBIDDEN', field: 'input.id' });
    expect(error.message).toMatch(/is .*'s; it is cancelled by its owner, or by role WORKFLOW or ADMIN/);
    const { data } = await world.ask(world.tokens.admin, 'query($id: ID!) { job(id: $id) { cancelRequestedAt } }', {
      id,
    });
    expect(data.job.cancelRequestedAt).toBeNull();
    expect(await cancel(world.tokens.gateway, await submitted(world.tokens.gateway))).toEqual([]);
  });

  test.each(['workflow', 'admin'] as const)('and whom a caller of role %s need not be', async (role) => {
    expect(await cancel(world.tokens[role], await submitted(world.tokens.gateway))).toEqual([]);
  });

  test('nothing of accounts at sites but to admins, and they take nobody the rest', async () => {
    const query = '{ site(name: "quick") { name identities { tenant } setDefaults { account } } }';
    for (const [role, identities] of [
      ['gateway', null],
      ['workflow', null],
      ['admin', []],
    ] as const) {
      const { data, errors } = await world.ask(world.tokens[role], query);
      expect(errors).toBeUndefined();
      expect(data.site).toEqual({ name: 'quick', identities, setDefaults: identities });
    }
  });
});
