import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { type ApiWorld, createApiWorld, HOUR, moment, NOW, work } from './api-world.ts';
import { SUBMIT } from './documents.ts';

const OPERATIONS = `query Operations($months: Int! = 2, $hours: Int! = 24, $last: Int! = 100) { operations {
  jobs { state count } workerQueues { kind due lagSeconds underWay } outbox { count oldestSeconds }
  tokens(last: $last) { tenant principal role isGood revokedAt expiresAt }
  charges(months: $months) { monthStartsAt tenant kind processorSeconds count }
  ends(hours: $hours) { site outcome count }
} }`;

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

const ask = (token: string | null, variables = {}) => world.ask(token, OPERATIONS, variables);

test('for nobody but admins there is such a thing', async () => {
  for (const token of [world.tokens.gateway, world.tokens.workflow, world.tokens.stranger]) {
    expect(await ask(token)).toMatchObject({ data: { operations: null }, errors: undefined });
  }
  expect((await ask(null)).status).toBe(401);
});

test('tokens of every tenant are told, and which open no door, but not their text or hash', async () => {
  const { db } = world.stores.database;
  const { id: principalId } = await db.principal.findFirstOrThrow({ where: { name: 'stranger' } });
  const made = { principalId, role: 'WORKFLOW' as const, createdAt: new Date((NOW - HOUR) * 1000) };
  await db.token.create({ data: { ...made, hash: 'old', expiresAt: new Date((NOW - 1) * 1000) } });
  await db.token.create({ data: { ...made, hash: 'gone', revokedAt: new Date(NOW * 1000) } });
  const { data } = await ask(world.tokens.admin);
  const told = data.operations.tokens.map((one: Record<string, unknown>) => [one.tenant, one.principal, one.isGood]);
  expect(told.sort()).toEqual([
    ['biology', 'stranger', false],
    ['biology', 'stranger', false],
    ['biology', 'stranger', true],
    ['physics', 'admin', true],
    ['physics', 'gateway', true],
    ['physics', 'workflow', true],
  ]);
  const { data: type } = await world.ask(world.tokens.admin, '{ __type(name: "TokenOverview") { fields { name } } }');
  const names = type.__type.fields.map(({ name }: { name: string }) => name);
  expect(names.filter((name: string) => /hash|text|token/i.test(name))).toEqual([]);
});

test('jobs are counted by state and end, charges by month, and turns that are late are told as late', async () => {
  const { data: submitted } = await world.ask(world.tokens.gateway, SUBMIT, { input: work });
  const id = fromGlobalId(submitted.submitJob.job.id)?.id ?? '';
  const { db } = world.stores.database;
  const siteId = fromGlobalId(world.sites.slow)?.id ?? null;
  await world.ask(world.tokens.gateway, SUBMIT, { input: work });
  await db.execution.updateMany({ data: { wakeAt: new Date((NOW - 90) * 1000) } });
  const over = { state: 'ENDED' as const, outcome: 'FAILED' as const, siteId, wakeAt: null };
  await db.execution.update({ where: { id }, data: { ...over, endedAt: new Date((NOW - HOUR) * 1000) } });
  const charge = { executionId: id, chargedAt: new Date(NOW * 1000) };
  const long = new Date((NOW - 40 * 24 * HOUR) * 1000);
  await db.charge.createMany({
    data: [
      { ...charge, kind: 'NEEDED', processorSeconds: 100, id: randomUUID() },
      { ...charge, kind: 'PADDING', processorSeconds: 30, id: randomUUID() },
      { ...charge, kind: 'LOST', processorSeconds: 7, id: randomUUID(), chargedAt: long },
    ],
  });
  const { data, errors } = await ask(world.tokens.admin);
  expect(errors).toBeUndefined();
  const { jobs, workerQueues, charges, ends, outbox } = data.operations;
  expect(jobs.find((one: { state: string }) => one.state === 'ENDED')).toEqual({ state: 'ENDED', count: 1 });
  expect(workerQueues).toContainEqual({ kind: 'EXECUTION', due: 1, lagSeconds: 90, underWay: 0 });
  expect(workerQueues).toHaveLength(6);
  expect(outbox.count).toBeGreaterThanOrEqual(2);
  expect(ends).toEqual([{ site: 'slow', outcome: 'FAILED', count: 1 }]);
  const [may, april] = [Date.UTC(2026, 4, 1), Date.UTC(2026, 3, 1)].map((at) => moment(at / 1000));
  const entry = { tenant: 'physics', count: 1 };
  expect(charges).toEqual([
    { ...entry, monthStartsAt: april, kind: 'LOST', processorSeconds: 7 },
    { ...entry, monthStartsAt: may, kind: 'NEEDED', processorSeconds: 100 },
    { ...entry, monthStartsAt: may, kind: 'PADDING', processorSeconds: 30 },
  ]);
  const { data: shorter } = await ask(world.tokens.admin, { months: 1 });
  expect(shorter.operations.charges).toHaveLength(2);
});

test.each([
  [{ months: 0 }, 'months must lie between 1 and 24, got 0'],
  [{ months: 25 }, 'months must lie between 1 and 24, got 25'],
  [{ hours: 169 }, 'hours must lie between 1 and 168, got 169'],
  [{ last: 501 }, 'last must lie between 1 and 500, got 501'],
])('%j is refused with what it may be', async (variables, message) => {
  const { errors } = await ask(world.tokens.admin, variables);
  expect(errors?.[0]).toMatchObject({ message, extensions: { code: 'INVALID' } });
});
