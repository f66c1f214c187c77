import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelJobs } from '../../../src/commands/cancel-jobs.ts';
import { submitArray } from '../../../src/commands/submit-array.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { labelText } from '../../../src/domain/label.ts';
import { type ApiWorld, createApiWorld, work } from './api-world.ts';

const CANCEL = `mutation Cancel($input: CancelJobsInput!) {
  cancelJobs(input: $input) { matched wantedAt userErrors { code field message } }
}`;
const ARRAY = `mutation Array($input: SubmitArrayInput!) {
  submitArray(input: $input) {
    group { id size limit counts { state outcome count } jobs(first: 2) { totalCount edges { node { taskIndex group { name } } } } }
    userErrors { code field message }
  }
}`;
const SWEEP = { name: 'project', value: 'sweep' };

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

async function cancel(input: object, token = world.tokens.workflow) {
  const { data, errors } = await world.ask(token, CANCEL, { input });
  expect(errors).toBeUndefined();
  return data.cancelJobs;
}

async function array(input: object) {
  const { data, errors } = await world.ask(world.tokens.workflow, ARRAY, { input: { ...work, ...input } });
  expect(errors).toBeUndefined();
  return data.submitArray;
}

test('an array is one call, answered the same when it is repeated, and refused by its fields', async () => {
  const input = { tasks: 10_000, limit: 8, firstIndex: 1, labels: [SWEEP], idempotencyKey: 'array' };
  const { group } = await array(input);
  expect(group).toMatchObject({
    ...{ size: 10_000, limit: 8, counts: [{ state: 'REQUESTED', outcome: null, count: 10_000 }] },
    jobs: { totalCount: 10_000, edges: [{ node: { group: { name: 'protein' } } }, {}] },
  });
  expect((await array(input)).group.id).toBe(group.id);
  const before = await world.countRows();
  for (const [field, given] of [
    ['input.tasks', { tasks: 10_001 }],
    ['input.tasks', { tasks: 0 }],
    ['input.step', { tasks: 2, step: 0 }],
    ['input.firstIndex', { tasks: 2, firstIndex: 2 ** 31 - 1 }],
    ['input.limit', { tasks: 2, limit: 0 }],
    ['input.retry.on', { tasks: 2, retry: { on: ['COMPLETED'] } }],
    ['input.retry.attempts', { tasks: 2, retry: { on: ['TIMEOUT'], attempts: 1 } }],
  ] as const) {
    expect(await array(given)).toMatchObject({ group: null, userErrors: [{ code: 'INVALID', field }] });
  }
  expect(await world.countRows()).toEqual(before);
});

test('many are cancelled by one call, as many as were counted, of the own tenant', async () => {
  const filter = { labels: [SWEEP] };
  expect(await cancel({ filter }, world.tokens.stranger)).toMatchObject({ matched: 0 });
  expect(await cancel({ filter, dryRun: true })).toMatchObject({ matched: 10_000, userErrors: [] });
  // Of role GATEWAY only the caller's own are meant.
  expect(await cancel({ filter, dryRun: true }, world.tokens.gateway)).toMatchObject({ matched: 0 });
  const wrong = await cancel({ filter, expectedCount: 9_999 });
  expect(wrong).toMatchObject({ matched: null, userErrors: [{ code: 'INVALID', field: 'input.expectedCount' }] });
  for (const nothing of [{}, { labels: [] }]) {
    const answer = await cancel({ filter: nothing });
    expect(answer).toMatchObject({ matched: null, userErrors: [{ code: 'INVALID', field: 'input.filter' }] });
  }
  const { db } = world.stores.database;
  expect(await db.bulkCancel.count({ where: { ids: { isEmpty: false } } })).toBe(0);
  const key = { idempotencyKey: 'cancel all' };
  expect(await cancel({ filter, expectedCount: 10_000, ...key })).toMatchObject({ matched: 10_000, userErrors: [] });
  expect(await cancel({ filter, expectedCount: 10_000, ...key })).toMatchObject({ matched: 10_000 });
  expect(await db.bulkCancel.count({ where: { ids: { isEmpty: false } } })).toBe(1);
});

test('jobs that are being written down in the same moment are not left behind', async () => {
  const { commands, principal } = world;
  const { db } = world.stores.database;
  const label = { name: 'race', value: 'on' };
  const labels = [label];
  const job = { ...work, arguments: [], queue: null, siteIds: [], deadlineAt: null, idempotencyKey: null, labels };
  const wish = { conditions: { labels }, expectedCount: null, idempotencyKey: null };
  const submitTen = () => Array.from({ length: 10 }, () => submitJob(commands, principal, job));
  await Promise.all(submitTen());
  const [{ matched, bulkCancelId }] = await Promise.all([
    cancelJobs(commands, principal, wish),
    ...submitTen(),
    submitArray(commands, principal, { ...job, tasks: 300 }),
  ]);
  // What the wish did not find had been asked for before it came: it is cancelled as it is written down.
  const all = await db.execution.findMany({ where: { labels: { has: labelText(label) } } });
  const { ids } = await db.bulkCancel.findUniqueOrThrow({ where: { id: bulkCancelId ?? '' } });
  expect(all).toHaveLength(320);
  expect(matched).toBeGreaterThanOrEqual(10);
  expect(ids).toHaveLength(matched);
  const left = all.filter(({ id, cancelRequestedAt }) => cancelRequestedAt === null && !ids.includes(id));
  expect(left).toEqual([]);
  // What is asked for afterwards is none of it.
  world.clock.advanceTo(world.clock.now() + 1);
  const { executionId } = await submitJob(commands, principal, job);
  expect((await db.execution.findUniqueOrThrow({ where: { id: executionId } })).cancelRequestedAt).toBeNull();
});
