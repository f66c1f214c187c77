import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ApiWorld, createApiWorld, HOUR, moment, NOW, work } from './api-world.ts';
import { CO_ALLOCATE, RESERVE, SUBMIT } from './documents.ts';

const ARRAY = `mutation Array($input: SubmitArrayInput!) {
  submitArray(input: $input) { group { id } userErrors { code field message } }
}`;

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld({ maxOpenJobs: 12 });
});
afterAll(() => world.close());

async function said(document: string, input: object, token = world.tokens.workflow) {
  const { data, errors } = await world.ask(token, document, { input: { ...work, ...input } });
  expect(errors).toBeUndefined();
  const [answer] = Object.values(data) as { userErrors: { code: string; field: string | null; message: string }[] }[];
  return answer?.userErrors;
}

test('a tenant has a bound of open jobs, whatever they are asked for with, and each has one of its own', async () => {
  expect(await said(SUBMIT, { idempotencyKey: 'first' })).toEqual([]);
  expect(await said(SUBMIT, {})).toEqual([]);
  expect(await said(ARRAY, { tasks: 11 })).toMatchObject([
    { code: 'BUSY', field: null, message: expect.stringMatching(/2 jobs .* 11 more, and at most 12 .* cancel some/) },
  ]);
  expect(await said(ARRAY, { tasks: 10 })).toEqual([]);

  const before = await world.countRows();
  const promise = { startAt: moment(NOW + 6 * HOUR), probability: 0.5 };
  const full = [{ code: 'BUSY', field: null, message: expect.stringContaining('12 jobs') }];
  expect(await said(SUBMIT, {})).toEqual(full);
  expect(await said(SUBMIT, { finishBy: { at: moment(NOW + 48 * HOUR), probability: 0.5 } })).toEqual(full);
  expect(await said(RESERVE, promise)).toEqual(full);
  const legs = ['left', 'right'].map((id) => ({ ...work, id }));
  const { data } = await world.ask(world.tokens.workflow, CO_ALLOCATE, { input: { rule: 'ALL', ...promise, legs } });
  expect(data.coAllocate.userErrors).toEqual(full);
  expect(await world.countRows(), 'nothing is written').toEqual(before);

  expect(await said(SUBMIT, { idempotencyKey: 'first' }), 'what was taken is answered again').toEqual([]);
  expect(await said(ARRAY, { tasks: 12 }, world.tokens.stranger)).toEqual([]);
});

test('who has ended some gets others soon, and no more than have ended', async () => {
  const { db } = world.stores.database;
  const own = { tenantId: world.principal.tenantId };
  const tasks = { ...own, groupId: { not: null } };
  await db.execution.updateMany({ where: tasks, data: { state: 'ENDED', endedAt: new Date(NOW * 1000) } });
  await vi.waitFor(async () => expect(await said(SUBMIT, {})).toEqual([]), { timeout: 20_000, interval: 250 });
  for (let taken = 1; taken < 10; taken++) expect(await said(SUBMIT, {})).toEqual([]);
  expect(await said(SUBMIT, {})).toMatchObject([{ code: 'BUSY' }]);
  expect(await db.execution.count({ where: { ...own, state: { not: 'ENDED' } } })).toBe(12);
});
