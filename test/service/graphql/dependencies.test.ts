import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { type ApiWorld, createApiWorld, NOW, unknownId, work } from './api-world.ts';
import { SUBMIT } from './documents.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

const ORDER = `query Order($id: ID!) {
  job(id: $id) { state gapSeconds after { when met job { id } } successors { id } }
}`;

type After = readonly { jobId: string; when?: string }[];

async function submit(after: After | null, token = world.tokens.gateway) {
  const { data, errors } = await world.ask(token, SUBMIT, { input: { ...work, after } });
  expect(errors).toBeUndefined();
  return data.submitJob;
}

async function orderOf(id: string, token = world.tokens.gateway) {
  return (await world.ask(token, ORDER, { id })).data.job;
}

async function become(id: string, change: object): Promise<void> {
  const where = { id: fromGlobalId(id)?.id ?? '' };
  await world.stores.database.db.execution.update({ where, data: change });
}

test('a job comes after others of its tenant, and both sides say so', async () => {
  const first = (await submit(null)).job.id;
  const second = (await submit([])).job.id;
  const { job, userErrors } = await submit([{ jobId: first }, { jobId: second, when: 'SUCCESS' }]);
  expect(userErrors).toEqual([]);
  expect(job.state).toBe('HELD');
  expect(await orderOf(job.id)).toEqual({
    ...{ state: 'HELD', gapSeconds: null, successors: [] },
    after: [
      { when: 'ANY_END', met: false, job: { id: first } },
      { when: 'SUCCESS', met: false, job: { id: second } },
    ],
  });
  expect(await orderOf(first)).toEqual({
    ...{ state: 'REQUESTED', gapSeconds: null, after: [] },
    successors: [{ id: job.id }],
  });
  expect(await orderOf(job.id, world.tokens.stranger)).toBeNull();

  const endedAt = new Date(NOW * 1000);
  await become(first, { state: 'ENDED', outcome: 'FAILED', endedAt });
  await become(second, { state: 'ENDED', outcome: 'FAILED', endedAt });
  await become(job.id, { state: 'RUNNING', startedAt: new Date((NOW + 42) * 1000) });
  expect(await orderOf(job.id)).toMatchObject({ gapSeconds: 42, after: [{ met: true }, { met: false }] });
});

test('what it cannot come after is refused, with its place, and nothing is written', async () => {
  const mine = (await submit(null)).job.id;
  const theirs = (await submit(null, world.tokens.stranger)).job.id;
  const before = await world.stores.database.db.execution.count();
  const cases: readonly [After, string, string][] = [
    [[{ jobId: mine }, { jobId: theirs }], 'NOT_FOUND', 'input.after[1].jobId'],
    [[{ jobId: unknownId('Job') }], 'NOT_FOUND', 'input.after[0].jobId'],
    [[{ jobId: unknownId('Site') }], 'NOT_FOUND', 'input.after[0].jobId'],
    [[{ jobId: mine }, { jobId: mine, when: 'SUCCESS' }], 'INVALID', 'input.after[1].jobId'],
  ];
  for (const [after, code, field] of cases) {
    expect(await submit(after)).toMatchObject({ job: null, userErrors: [{ code, field }] });
  }
  const many = Array.from({ length: 17 }, () => ({ jobId: mine }));
  const { userErrors } = await submit(many);
  expect(userErrors[0]).toMatchObject({
    ...{ code: 'INVALID', field: 'input.after' },
    message: 'a job comes after at most 16 others, these are 17; chain some of them',
  });
  expect(await world.stores.database.db.execution.count()).toBe(before);
});

test('a job may start right after another one, if its walltime is stated', async () => {
  const ask = async (input: object) => {
    const { data, errors } = await world.ask(world.tokens.gateway, SUBMIT, { input: { ...work, ...input } });
    expect(errors).toBeUndefined();
    return data.submitJob;
  };
  const first = (await submit(null)).job.id;
  const { job, userErrors } = await ask({ startAfter: { jobId: first, when: 'SUCCESS' } });
  expect(userErrors).toEqual([]);
  const AHEAD = `query Ahead($id: ID!) {
    job(id: $id) { state startsAhead gateOpenedAt gapSeconds expectedGapSeconds after { when met job { id } } }
  }`;
  expect((await world.ask(world.tokens.gateway, AHEAD, { id: job.id })).data.job).toEqual({
    ...{ state: 'HELD', startsAhead: true, gateOpenedAt: null, gapSeconds: null, expectedGapSeconds: null },
    after: [{ when: 'SUCCESS', met: false, job: { id: first } }],
  });

  const theirs = (await submit(null, world.tokens.stranger)).job.id;
  const auto = { walltime: 'AUTO', walltimeSeconds: null, walltimeRisk: 0.05 };
  const before = await world.stores.database.db.execution.count();
  const cases: readonly [object, string, string][] = [
    [{ startAfter: { jobId: theirs } }, 'NOT_FOUND', 'input.startAfter.jobId'],
    [{ after: [{ jobId: first }], startAfter: { jobId: first } }, 'INVALID', 'input.startAfter.jobId'],
    [{ ...auto, startAfter: { jobId: first } }, 'INVALID', 'input.startAfter'],
  ];
  for (const [input, code, field] of cases) {
    expect(await ask(input)).toMatchObject({ job: null, userErrors: [{ code, field }] });
  }
  expect(await world.stores.database.db.execution.count()).toBe(before);

  const id = fromGlobalId(job.id)?.id ?? '';
  const moments = { startedAt: new Date((NOW - 30) * 1000), gateOpenedAt: new Date((NOW + 5) * 1000) };
  await become(first, { state: 'ENDED', outcome: 'COMPLETED', endedAt: new Date(NOW * 1000) });
  await become(job.id, { state: 'RUNNING', gateSeconds: 600, startedAt: moments.startedAt });
  expect((await orderOf(job.id)).gapSeconds).toBeNull();
  await world.stores.database.db.execution.update({ where: { id }, data: moments });
  expect((await orderOf(job.id)).gapSeconds).toBe(5);
});
