import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiWorld, createApiWorld, HOUR, moment, NOW, work } from './api-world.ts';
import { CANCEL_JOB, SUBMIT } from './documents.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

const submit = (input: object, token = world.tokens.workflow) => world.ask(token, SUBMIT, { input });

test('the same key and input get the same answer, and the work is done once', async () => {
  const input = { ...work, idempotencyKey: 'once' };
  const first = (await submit(input)).data.submitJob;
  const after = await world.countRows();
  const { name, script, ...rest } = work;
  const second = (await submit({ idempotencyKey: 'once', ...rest, script, name })).data.submitJob;
  expect(first.userErrors).toEqual([]);
  expect(second).toEqual(first);
  expect(await world.countRows()).toEqual(after);
});

test('the first answer stands even when the input would be refused by now', async () => {
  const input = { ...work, deadlineAt: moment(NOW + 2 * HOUR), idempotencyKey: 'late' };
  const first = (await submit(input)).data.submitJob;
  world.clock.advanceTo(NOW + 5 * HOUR);
  expect((await submit(input)).data.submitJob).toEqual(first);
  expect((await submit({ ...input, idempotencyKey: 'later' })).data.submitJob.userErrors).toMatchObject([
    { code: 'INVALID', field: 'input.deadlineAt' },
  ]);
});

test('the same key with another input is an error', async () => {
  await submit({ ...work, idempotencyKey: 'mine' });
  const before = await world.countRows();
  const { data } = await submit({ ...work, processors: 5, idempotencyKey: 'mine' });
  expect(data.submitJob.userErrors).toMatchObject([{ code: 'IDEMPOTENCY_MISMATCH', field: 'input.idempotencyKey' }]);
  expect(await world.countRows()).toEqual(before);
});

test('the same key for another mutation is an error', async () => {
  const { data } = await submit({ ...work, idempotencyKey: 'verb' });
  const input = { id: data.submitJob.job.id, idempotencyKey: 'verb' };
  const cancelled = await world.ask(world.tokens.workflow, CANCEL_JOB, { input });
  expect(cancelled.data.cancelJob.userErrors).toMatchObject([{ code: 'IDEMPOTENCY_MISMATCH' }]);
});

test('another tenant has keys of its own', async () => {
  const mine = (await submit({ ...work, idempotencyKey: 'shared' })).data.submitJob;
  const theirs = (await submit({ ...work, processors: 2, idempotencyKey: 'shared' }, world.tokens.stranger)).data
    .submitJob;
  expect(theirs.userErrors).toEqual([]);
  expect(theirs.job.id).not.toBe(mine.job.id);
});

test('of many at once one is carried out; the others get its answer or are told that it is in flight', async () => {
  const before = await world.countRows();
  const input = { ...work, idempotencyKey: 'rush' };
  const answers = await Promise.all(Array.from({ length: 20 }, () => submit(input)));
  const payloads = answers.map(({ data }) => data.submitJob);
  const jobs = new Set(payloads.flatMap(({ job }) => (job ? [job.id] : [])));
  expect(jobs.size).toBe(1);
  const codes = payloads.flatMap(({ userErrors }) => userErrors.map(({ code }: { code: string }) => code));
  expect(codes.every((code: string) => code === 'IN_FLIGHT')).toBe(true);
  expect(await world.countRows()).toMatchObject({ execution: Number(before.execution) + 1 });
});

test('a call in flight is a conflict, and its key is not taken away by the one that met it', async () => {
  const { database } = world.stores;
  const call = { tenantId: world.principal.tenantId, key: 'flying', mutation: 'submitJob' };
  await database.db.idempotencyKey.create({
    data: { ...call, bodyHash: await hashOfWork(), createdAt: new Date(), expiresAt: new Date(Date.now() + 60_000) },
  });
  for (let time = 0; time < 2; time++) {
    const { data } = await submit({ ...work, idempotencyKey: 'flying' });
    expect(data.submitJob.userErrors).toMatchObject([{ code: 'IN_FLIGHT', field: 'input.idempotencyKey' }]);
  }
});

test('a refused call frees its key', async () => {
  const key = { idempotencyKey: 'second chance' };
  expect((await submit({ ...work, ...key, processors: 0 })).data.submitJob.userErrors).toMatchObject([
    { code: 'INVALID' },
  ]);
  expect((await submit({ ...work, ...key })).data.submitJob.userErrors).toEqual([]);
});

/** The digest under which the service keeps a call, learned by making it once under another key. */
async function hashOfWork(): Promise<string> {
  await submit({ ...work, idempotencyKey: 'probe' });
  const { tenantId } = world.principal;
  const row = await world.stores.database.db.idempotencyKey.findUniqueOrThrow({
    where: { tenantId_key: { tenantId, key: 'probe' } },
  });
  return row.bodyHash;
}
