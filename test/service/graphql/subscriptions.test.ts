import { createClient } from 'graphql-ws';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import type { Api } from '../../../src/graphql/server.ts';
import { fromGlobalId, toGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { publishChange } from '../../../src/store/events.ts';
import { revokeToken } from '../../../src/store/principals.ts';
import { saveCharges } from '../../../src/store/scores.ts';
import { issueToken } from '../issue-token.ts';
import { type ApiWorld, createApiWorld, HOUR, moment, NOW, unknownId, work } from './api-world.ts';
import { CANCEL_JOB, CANCEL_RESERVATION, CO_ALLOCATE, RESERVE, SUBMIT } from './documents.ts';

let world: ApiWorld;
let other: Api;
const leave: (() => void)[] = [];

beforeAll(async () => {
  world = await createApiWorld();
  other = await world.startAnother();
});
afterEach(() => {
  for (const close of leave.splice(0)) close();
});
afterAll(() => world.close());

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Event = { data?: any; errors?: readonly { message: string; extensions?: Record<string, unknown> }[] };

/**
 * Follows a subscription at one API process. `next` waits for an event, `quiet` tells whether none has come after a
 * while.
 */
function follow(api: Api, token: string | null, query: string, variables: Record<string, unknown> = {}) {
  const client = createClient({
    url: api.url.replace('http', 'ws'),
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: token === null ? {} : { authorization: `Bearer ${token}` },
  });
  leave.push(() => void client.dispose());
  const events = client.iterate({ query, variables }) as AsyncIterableIterator<Event>;
  let pending: Promise<IteratorResult<Event>> | null = null;
  const take = () => {
    pending ??= events.next();
    return pending;
  };
  return {
    async next(): Promise<Event> {
      const { value } = await take();
      pending = null;
      return value;
    },
    async quiet(milliseconds: number): Promise<boolean> {
      const nothing = new Promise<'nothing'>((resolve) => setTimeout(() => resolve('nothing'), milliseconds));
      return (await Promise.race([take(), nothing])) === 'nothing';
    },
  };
}

const JOB_CHANGED = 'subscription($id: ID) { jobChanged(id: $id) { id name state cancelRequestedAt } }';

const submit = async (token: string, name: string) =>
  (await world.ask(token, SUBMIT, { input: { ...work, name } })).data.submitJob.job.id as string;

/** Hands in jobs of its tenant until a subscription to them tells of one, and takes what it told. */
async function untilHeard(watch: ReturnType<typeof follow>, token: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const id = await submit(token, 'is anybody there');
    if (await watch.quiet(100)) continue;
    while ((await watch.next()).data.jobChanged.id !== id);
    return;
  }
  throw new Error('the subscription told of nothing');
}

const databaseId = (id: string) => fromGlobalId(id)?.id ?? '';

/** Writes down that jobs have ended, as a worker would, and tells of it. */
async function end(ids: readonly string[]): Promise<void> {
  await changeJobs(ids, { state: 'ENDED' });
}

/** The same for what they are charged. */
async function settle(ids: readonly string[]): Promise<void> {
  const { db } = world.stores.database;
  for (const id of ids) await saveCharges(db, id, [{ kind: 'NEEDED', processorSeconds: 60 }], NOW);
  await changeJobs(ids, { settledAt: new Date(NOW * 1000) });
}

async function changeJobs(ids: readonly string[], data: { state?: 'ENDED'; settledAt?: Date }): Promise<void> {
  const { db } = world.stores.database;
  await db.execution.updateMany({ where: { id: { in: [...ids] } }, data });
  for (const id of ids) await publishChange(db, { type: 'EXECUTION', id, tenantId: world.principal.tenantId });
}

describe('subscriptions', () => {
  test('with an id begin with the thing as it is, and tell what another process changes', async () => {
    const id = await submit(world.tokens.gateway, 'watched');
    const watch = follow(other, world.tokens.workflow, JOB_CHANGED, { id });
    expect((await watch.next()).data.jobChanged).toEqual({
      id,
      name: 'watched',
      state: 'REQUESTED',
      cancelRequestedAt: null,
    });
    await world.ask(world.tokens.gateway, CANCEL_JOB, { input: { id } });
    expect((await watch.next()).data.jobChanged).toMatchObject({ id, cancelRequestedAt: moment(NOW) });
  });

  test('without an id tell of everything of the tenant, and of nobody else', async () => {
    const mine = follow(other, world.tokens.workflow, JOB_CHANGED);
    const theirs = follow(other, world.tokens.stranger, JOB_CHANGED);
    await untilHeard(mine, world.tokens.gateway);
    await untilHeard(theirs, world.tokens.stranger);
    const id = await submit(world.tokens.gateway, 'seen by mine');
    expect((await mine.next()).data.jobChanged).toMatchObject({ id, name: 'seen by mine' });
    const stranger = await submit(world.tokens.stranger, 'seen by theirs');
    // Events come in the order of the changes, so what comes next shows that nothing came before.
    expect((await theirs.next()).data.jobChanged).toMatchObject({ id: stranger, name: 'seen by theirs' });
    const last = await submit(world.tokens.gateway, 'seen by mine at last');
    expect((await mine.next()).data.jobChanged).toMatchObject({ id: last });
  });

  test('follow reservations and co-allocations too', async () => {
    const input = { ...work, startAt: moment(NOW + 6 * HOUR), probability: 0.9 };
    const { id } = (await world.ask(world.tokens.workflow, RESERVE, { input })).data.reserve.reservation;
    const watch = follow(
      other,
      world.tokens.workflow,
      'subscription($id: ID) { reservationChanged(id: $id) { id state job { cancelRequestedAt plan { madeAt } } } }',
      { id },
    );
    expect((await watch.next()).data.reservationChanged).toMatchObject({ id, job: { cancelRequestedAt: null } });
    await world.ask(world.tokens.workflow, CANCEL_RESERVATION, { input: { id } });
    expect((await watch.next()).data.reservationChanged).toMatchObject({ id, job: { cancelRequestedAt: moment(NOW) } });

    const groups = follow(other, world.tokens.workflow, 'subscription { coAllocationChanged { id legs { id } } }');
    const group = { rule: 'ALL', startAt: moment(NOW + 12 * HOUR), probability: 0.5, legs: [work, work] };
    const made: string[] = [];
    while (made.length === 0 || (await groups.quiet(200))) {
      made.push(
        (await world.ask(world.tokens.workflow, CO_ALLOCATE, { input: group })).data.coAllocate.coAllocation.id,
      );
      expect(made.length, 'groups nobody told of').toBeLessThan(50);
    }
    const event = (await groups.next()).data.coAllocationChanged;
    expect(made).toContain(event.id);
    expect(event.legs).toHaveLength(2);
  });

  test('to a job tell its end once, with its charge, and are over then', async () => {
    const id = await submit(world.tokens.gateway, 'ends');
    const executionId = databaseId(id);
    const query = 'subscription($id: ID) { jobChanged(id: $id) { state charges { processorSeconds } } }';
    const watch = follow(other, world.tokens.workflow, query, { id });
    expect((await watch.next()).data.jobChanged.state).toBe('REQUESTED');
    await end([executionId]);
    expect(await watch.quiet(300)).toBe(true);
    await settle([executionId]);
    const ended = { state: 'ENDED', charges: [{ processorSeconds: 60 }] };
    expect((await watch.next()).data.jobChanged).toEqual(ended);
    expect(await watch.next()).toBeUndefined();
    const late = follow(other, world.tokens.workflow, query, { id });
    expect((await late.next()).data.jobChanged).toEqual(ended);
    expect(await late.next()).toBeUndefined();
  });

  test('to a reservation and a co-allocation are over when their jobs are charged', async () => {
    const { db } = world.stores.database;
    const group = { rule: 'ALL', startAt: moment(NOW + 12 * HOUR), probability: 0.5, legs: [work, work] };
    const { coAllocation } = (await world.ask(world.tokens.workflow, CO_ALLOCATE, { input: group })).data.coAllocate;
    const coAllocationId = databaseId(coAllocation.id);
    const legs = await db.reservation.findMany({ where: { coAllocationId } });
    const executionIds = legs.map(({ executionId }) => executionId);
    const [leg] = legs as [(typeof legs)[number]];
    const groups = follow(
      other,
      world.tokens.workflow,
      'subscription($id: ID) { coAllocationChanged(id: $id) { state legs { job { state } } } }',
      { id: coAllocation.id },
    );
    const promises = follow(
      other,
      world.tokens.workflow,
      'subscription($id: ID) { reservationChanged(id: $id) { state job { state charges { processorSeconds } } } }',
      { id: toGlobalId('Reservation', leg.id) },
    );
    expect((await groups.next()).data.coAllocationChanged.state).toBe('PENDING');
    expect((await promises.next()).data.reservationChanged.state).toBe('PROMISED');
    await db.coAllocation.update({ where: { id: coAllocationId }, data: { state: 'SUCCEEDED' } });
    await db.reservation.updateMany({ where: { coAllocationId }, data: { state: 'KEPT' } });
    await end(executionIds);
    const tell = async () => {
      await publishChange(db, { type: 'RESERVATION', id: leg.id, tenantId: world.principal.tenantId });
      await publishChange(db, { type: 'CO_ALLOCATION', id: coAllocationId, tenantId: world.principal.tenantId });
    };
    await tell();
    expect(await groups.quiet(300)).toBe(true);
    await settle(executionIds);
    await tell();
    const ended = { state: 'SUCCEEDED', legs: [{ job: { state: 'ENDED' } }, { job: { state: 'ENDED' } }] };
    expect((await groups.next()).data.coAllocationChanged).toEqual(ended);
    expect(await groups.next()).toBeUndefined();
    const kept = { state: 'KEPT', job: { state: 'ENDED', charges: [{ processorSeconds: 60 }] } };
    expect((await promises.next()).data.reservationChanged).toEqual(kept);
    expect(await promises.next()).toBeUndefined();
  });

  test("to another tenant's job are as those to no job", async () => {
    const id = await submit(world.tokens.gateway, 'private');
    const errorsFor = async (wanted: string) =>
      (await follow(other, world.tokens.stranger, JOB_CHANGED, { id: wanted })
        .next()
        .catch((error) => error)) as unknown;
    const [theirs, nothing] = [await errorsFor(id), await errorsFor(unknownId('Job'))];
    expect(JSON.stringify(theirs)).toContain('NOT_FOUND');
    expect(theirs).toEqual(nothing);
  });

  test.each([
    ['no token', null],
    ['a wrong token', 'gct_wrong'],
  ])('are closed to callers with %s', async (_what, token) => {
    const refused = await follow(other, token, JOB_CHANGED)
      .next()
      .catch((event: { code: number; reason: string }) => event);
    expect(refused).toMatchObject({ code: 4401, reason: expect.stringContaining('UNAUTHENTICATED') });
  });

  test('end when the token is revoked', async () => {
    const { db } = world.stores.database;
    const token = await issueToken(db, world.principal.id, NOW, null);
    const watch = follow(other, token, JOB_CHANGED);
    await untilHeard(watch, world.tokens.gateway);
    await revokeToken(db, token, NOW);
    await submit(world.tokens.gateway, 'not for you');
    const end = await watch.next().catch((event: { code: number }) => event);
    expect(JSON.stringify(end)).not.toContain('not for you');
    const after = await watch.next().catch((event: { code: number }) => event);
    expect([end, after]).toContainEqual(expect.objectContaining({ code: 4401 }));
  });

  test('end when the token is revoked though nothing happens', async () => {
    const { db } = world.stores.database;
    const token = await issueToken(db, world.principal.id, NOW, null);
    const watch = follow(other, token, JOB_CHANGED);
    expect(await watch.quiet(300)).toBe(true);
    await revokeToken(db, token, NOW);
    const end = await watch.next().catch((event: { code: number }) => event);
    expect(end).toMatchObject({ code: 4401 });
  });

  test('are the only thing served there, within the same limits', async () => {
    const error = async (query: string) =>
      JSON.stringify(
        await follow(other, world.tokens.admin, query)
          .next()
          .catch((errors) => errors),
      );
    expect(await error('{ serverTime }')).toContain('only subscriptions');
    expect(
      await error(`subscription { jobChanged { ${'reservation { job { '.repeat(8)} id ${'} }'.repeat(8)} } }`),
    ).toContain('levels deep, at most 12 are allowed');
    expect(await error(`subscription { jobChanged { ${'id '.repeat(2100)} } }`)).toContain('tokens');
  });

  test('tell of what they may have missed while the database was away', async () => {
    const id = await submit(world.tokens.gateway, 'missed');
    const watch = follow(other, world.tokens.workflow, JOB_CHANGED, { id });
    await watch.next();
    const { db } = world.stores.database;
    const lost = await db.$queryRaw<unknown[]>`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE 'LISTEN%'`;
    expect(lost.length).toBeGreaterThanOrEqual(2);
    await db.execution.updateMany({ where: { name: 'missed' }, data: { state: 'HELD' } });
    expect((await watch.next()).data.jobChanged).toMatchObject({ id, state: 'HELD' });
    await world.ask(world.tokens.gateway, CANCEL_JOB, { input: { id } });
    expect((await watch.next()).data.jobChanged).toMatchObject({ id, cancelRequestedAt: moment(NOW) });
  });

  test('end with the process, and the other one goes on', async () => {
    const third = await world.startAnother();
    const watch = follow(third, world.tokens.workflow, JOB_CHANGED);
    await untilHeard(watch, world.tokens.gateway);
    await third.close();
    await watch.next().catch(() => undefined);
    const still = follow(other, world.tokens.workflow, JOB_CHANGED);
    await untilHeard(still, world.tokens.gateway);
    const id = await submit(world.tokens.gateway, 'after');
    expect((await still.next()).data.jobChanged.id).toBe(id);
  });
});

describe('callers that open too much', () => {
  let small: ApiWorld;
  beforeAll(async () => {
    small = await createApiWorld({ maxSubscriptions: 3, maxSockets: 4 });
  });
  afterAll(() => small.close());

  test('are told BUSY for one subscription more than their tenant may have, and others are not', async () => {
    const { api, tokens } = small;
    const id = (await small.ask(tokens.gateway, SUBMIT, { input: work })).data.submitJob.job.id;
    const open = async (token: string) =>
      follow(api, token, JOB_CHANGED, { id })
        .next()
        .catch((errors) => errors);
    for (const token of [tokens.gateway, tokens.workflow, tokens.admin]) {
      expect((await open(token)).data.jobChanged.id).toBe(id);
    }
    const refused = await open(tokens.workflow);
    expect(refused).toMatchObject({
      errors: [{ extensions: { code: 'BUSY' }, message: expect.stringContaining('at most 3') }],
    });
    expect(JSON.stringify(await open(tokens.stranger))).toContain('NOT_FOUND');
  });

  test('are told BUSY for subscriptions that cost more together than their tenant may spend, until they end some', async () => {
    const dear = await createApiWorld({ maxSubscriptionCost: 250 });
    leave.push(() => void dear.close());
    const { api, tokens } = dear;
    const id = dear.sites.quick;
    const words = 'subscription($id: ID) { siteChanged(id: $id) { id observations(last: 100) { observedAt } } }';
    const open = (token: string) => follow(api, token, words, { id });
    const first = open(tokens.gateway);
    expect((await first.next()).data.siteChanged.id).toBe(id);
    expect((await open(tokens.workflow).next()).data.siteChanged.id).toBe(id);
    expect((await open(tokens.admin).next()).errors).toMatchObject([
      { extensions: { code: 'BUSY' }, message: expect.stringMatching(/costs 103, .* would cost 309, at most 250 is/) },
    ]);
    expect((await open(tokens.stranger).next()).data.siteChanged.id).toBe(id);
    for (const close of leave.splice(1, 1)) close();
    await until(async () => (await open(tokens.admin).next()).errors === undefined);
  });

  test('are told BUSY for one connection more than their tenant may have, until they close one', async () => {
    const { api, tokens } = small;
    const connect = () => {
      const socket = new WebSocket(api.url.replace('http', 'ws'), 'graphql-transport-ws');
      leave.push(() => socket.close());
      socket.on('open', () => {
        socket.send(
          JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${tokens.stranger}` } }),
        );
      });
      return new Promise<{ socket: WebSocket; code: number | null; reason: string }>((resolve) => {
        socket.once('message', () => resolve({ socket, code: null, reason: '' }));
        socket.once('close', (code, reason) => resolve({ socket, code, reason: reason.toString() }));
      });
    };
    await until(async () => (await connect()).code === 4503);
    const fifth = await connect();
    expect(fifth).toMatchObject({ code: 4503, reason: expect.stringMatching(/^BUSY: 4 .* at most 4/) });
    for (const close of leave.splice(0)) close();
    await until(async () => (await connect()).code === null);
  });
});

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + 20_000;
  while (!(await isSo())) expect(performance.now(), 'it has not come about').toBeLessThan(giveUpAt);
}
