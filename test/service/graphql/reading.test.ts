import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiWorld, createApiWorld, HOUR, moment, NOW, unknownId, work } from './api-world.ts';
import { CO_ALLOCATE, RESERVE, SUBMIT } from './documents.ts';

let world: ApiWorld;
const jobIds: string[] = [];

beforeAll(async () => {
  world = await createApiWorld();
  for (let index = 0; index < 25; index++) {
    // Several jobs share a moment: pages must not lose or repeat any of them.
    if (index % 5 === 0) world.clock.advanceTo(world.clock.now() + 1);
    const { data } = await world.ask(world.tokens.gateway, SUBMIT, { input: { ...work, name: `job ${index}` } });
    jobIds.push(data.submitJob.job.id);
  }
});
afterAll(() => world.close());

const JOBS = `query Jobs($first: Int, $after: String, $states: [JobState!], $siteId: ID, $includeReserved: Boolean = false) {
  jobs(first: $first, after: $after, states: $states, siteId: $siteId, includeReserved: $includeReserved) {
    totalCount edges { cursor node { id name state } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

async function page(variables: Record<string, unknown>) {
  const { data, errors } = await world.ask(world.tokens.workflow, JOBS, variables);
  expect(errors).toBeUndefined();
  return data.jobs;
}

const idsOf = ({ edges }: { edges: { node: { id: string } }[] }) => edges.map(({ node }) => node.id);

describe('pages', () => {
  test('hold twenty unless asked for less', async () => {
    const { edges, totalCount, pageInfo } = await page({});
    expect(edges).toHaveLength(20);
    expect(totalCount).toBe(25);
    expect(pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: edges[0].cursor,
      endCursor: edges[19].cursor,
    });
  });

  test.each([1, 4, 7, 25, 100])('of %i show every job once, newest first', async (first) => {
    const seen: string[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const got = await page({ first, after });
      seen.push(...idsOf(got));
      after = got.pageInfo.endCursor;
      more = got.pageInfo.hasNextPage;
    }
    expect(seen).toEqual([...jobIds].reverse());
  });

  test('follow on though new jobs come in between', async () => {
    const first = await page({ first: 10 });
    const { data } = await world.ask(world.tokens.gateway, SUBMIT, { input: { ...work, name: 'newcomer' } });
    jobIds.push(data.submitJob.job.id);
    const second = await page({ first: 10, after: first.pageInfo.endCursor });
    expect(idsOf(second)).toEqual([...jobIds].reverse().slice(11, 21));
  });

  test('can be narrowed to states and a site', async () => {
    expect((await page({ states: ['REQUESTED'] })).totalCount).toBe(jobIds.length);
    expect((await page({ states: ['RUNNING', 'ENDED'] })).totalCount).toBe(0);
    expect((await page({ siteId: world.sites.quick })).totalCount).toBe(0);
  });

  test.each([
    [{ first: 0 }, 'first'],
    [{ first: -1 }, 'first'],
    [{ first: 101 }, 'first'],
    [{ after: 'nonsense' }, 'after'],
  ])('refuse %j', async (variables, field) => {
    const { errors, data } = await world.ask(world.tokens.workflow, JOBS, variables);
    expect(data).toBeNull();
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID', field } }]);
  });
});

test('the jobs at a site are listed with the bodies of reservations where that is asked for', async () => {
  const input = { ...work, startAt: moment(NOW + 6 * HOUR), probability: 0.5, siteIds: [world.sites.quick] };
  const { job } = (await world.ask(world.tokens.workflow, RESERVE, { input })).data.reserve.reservation;
  expect(idsOf(await page({ siteId: world.sites.quick }))).not.toContain(job.id);
  expect(idsOf(await page({ siteId: world.sites.quick, includeReserved: true }))).toContain(job.id);
  expect(idsOf(await page({ siteId: world.sites.slow, includeReserved: true }))).not.toContain(job.id);
  const others = await world.ask(world.tokens.stranger, JOBS, { siteId: world.sites.quick, includeReserved: true });
  expect(idsOf(others.data.jobs)).toEqual([]);
});

describe('node', () => {
  const NODE = `query Node($id: ID!) { node(id: $id) { __typename id
    ... on Site { name } ... on Job { processors } ... on Reservation { mode } ... on CoAllocation { rule } } }`;
  const node = async (id: string) => (await world.ask(world.tokens.workflow, NODE, { id })).data.node;

  test('finds anything by its global id', async () => {
    const input = { ...work, startAt: moment(NOW + 6 * HOUR), probability: 0.9 };
    const reserved = (await world.ask(world.tokens.workflow, RESERVE, { input })).data.reserve.reservation;
    const group = { rule: 'ALL', startAt: moment(NOW + 12 * HOUR), probability: 0.5, legs: [work, work] };
    const together = (await world.ask(world.tokens.workflow, CO_ALLOCATE, { input: group })).data.coAllocate
      .coAllocation;
    const [jobId = ''] = jobIds;
    expect(await node(world.sites.quick)).toEqual({ __typename: 'Site', id: world.sites.quick, name: 'quick' });
    expect(await node(jobId)).toEqual({ __typename: 'Job', id: jobId, processors: 4 });
    expect(await node(reserved.id)).toEqual({ __typename: 'Reservation', id: reserved.id, mode: 'HOLD' });
    expect(await node(together.id)).toEqual({ __typename: 'CoAllocation', id: together.id, rule: 'ALL' });
  });

  test.each([
    '',
    'x',
    'Site:1',
    Buffer.from('Job:1').toString('base64url'),
    Buffer.from('Tenant:1').toString('base64url'),
  ])('knows nothing of %j', async (id) => {
    expect(await node(id)).toBeNull();
  });

  test('does not take one type for another', async () => {
    const ask = 'query($id: ID!) { job(id: $id) { id } reservation(id: $id) { id } site(id: $id) { id } }';
    const { data } = await world.ask(world.tokens.workflow, ask, { id: jobIds[0] });
    expect(data).toEqual({ job: { id: jobIds[0] }, reservation: null, site: null });
  });
});

describe('sites', () => {
  test('are found by name and by id, and say how old their facts are', async () => {
    const ask = `query($id: ID) { byName: site(name: "slow") { id } byId: site(id: $id) {
      name adapter processors observedAt fault records waitingJobs runningJobs promises { decided kept promised }
      queues { name isDefault maxProcessors maxWalltimeSeconds } observations(last: 5) { observedAt freeProcessors } scores { predictor } } }`;
    const { data } = await world.ask(world.tokens.gateway, ask, { id: world.sites.quick });
    expect(data.byName.id).toBe(world.sites.slow);
    expect(data.byId).toEqual({
      name: 'quick',
      adapter: 'simulator',
      processors: 64,
      observedAt: moment(NOW - 30),
      fault: null,
      records: 800,
      waitingJobs: 0,
      runningJobs: 0,
      promises: { decided: 0, kept: 0, promised: null },
      queues: [
        { name: 'batch', isDefault: true, maxProcessors: null, maxWalltimeSeconds: 86_400 },
        { name: 'debug', isDefault: false, maxProcessors: 8, maxWalltimeSeconds: 1800 },
      ],
      observations: [{ observedAt: moment(NOW - 30), freeProcessors: 32 }],
      scores: [],
    });
  });

  test('that do not exist are null, in scores an error', async () => {
    const { data } = await world.ask(world.tokens.gateway, '{ site(name: "nowhere") { id } }');
    expect(data.site).toBeNull();
    const scores = `{ predictorScores(siteId: "${unknownId('Job')}") { count } }`;
    expect((await world.ask(world.tokens.gateway, scores)).errors).toMatchObject([
      { extensions: { code: 'NOT_FOUND' } },
    ]);
  });
});

test('lists cost a handful of queries, however long they are', async () => {
  for (let index = 0; index < 6; index++) {
    const input = { ...work, startAt: moment(NOW + (6 + index) * HOUR), probability: 0.5 };
    await world.ask(world.tokens.workflow, RESERVE, { input });
  }
  const ask = (first: number) =>
    countStatements(() =>
      world.ask(
        world.tokens.workflow,
        `query($first: Int) { reservations(first: $first) { edges { node { site { name records waitingJobs } submitAt
          charges { kind } coAllocation { id } job { submissions { key } plan { chosen { site { name } forecast { boundSeconds } } } } } } } }`,
        { first },
      ),
    );
  const one = await ask(1);
  const six = await ask(6);
  expect(one).toBeGreaterThan(5);
  expect(six).toBe(one);
});

/** How many statements are sent to the database for an answer. */
async function countStatements(request: () => Promise<unknown>): Promise<number> {
  const before = statementsSoFar();
  await request();
  return statementsSoFar() - before;
}

function statementsSoFar(): number {
  return [...world.stores.statements.entries()].reduce((sum, [, count]) => sum + count, 0);
}
