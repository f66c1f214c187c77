import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type ApiWorld, ask, createApiWorld, work } from './api-world.ts';
import { SUBMIT } from './documents.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld({ maxScriptBytes: 2000, maxArgumentBytes: 1000 });
});
afterAll(() => world.close());

const codesOf = (errors: { extensions: { code: string } }[] | undefined) =>
  errors?.map(({ extensions }) => extensions.code);

describe('queries are refused', () => {
  test('when they are deep', async () => {
    const deep = `{ job(id: "x") ${'{ reservation { job '.repeat(8)} { id } ${'} }'.repeat(8)} }`;
    const { status, errors, data } = await world.ask(world.tokens.admin, deep);
    expect({ status, data, codes: codesOf(errors) }).toEqual({
      status: 400,
      data: undefined,
      codes: ['QUERY_TOO_COMPLEX'],
    });
    expect(errors?.[0].message).toMatch(/^this query is \d+ levels deep, at most 12 are allowed; ask /);
  });

  test('when fragments make them deep', async () => {
    const fragments = Array.from(
      { length: 8 },
      (_, i) => `fragment F${i} on Job { reservation { job { ...F${i + 1} } } }`,
    );
    const query = `{ job(id: "x") { ...F0 } } ${fragments.join('\n')} fragment F8 on Job { id }`;
    const { status, errors } = await world.ask(world.tokens.admin, query);
    expect(status).toBe(400);
    expect(errors?.[0].message).toMatch(/levels deep, at most 12 are allowed/);
  });

  test('when they ask for one thing under many names', async () => {
    const query = `{ ${Array.from({ length: 31 }, (_, i) => `a${i}: serverTime`).join(' ')} }`;
    const { status, errors } = await world.ask(world.tokens.admin, query);
    expect(status).toBe(400);
    expect(codesOf(errors)).toEqual(['QUERY_TOO_COMPLEX']);
    expect(errors?.[0].message).toMatch(/^this query has 31 aliases, at most 30 are allowed; send /);
  });

  test('when they are long', async () => {
    const { status, errors } = await world.ask(world.tokens.admin, `{ ${'serverTime '.repeat(2100)} }`);
    expect(status).toBe(400);
    expect(codesOf(errors)).toEqual(['QUERY_TOO_COMPLEX']);
    expect(errors?.[0].message).toMatch(/^this query has more than 2000 tokens, .*; pass values as variables/);
  });

  test('when they are dear, also by their variables', async () => {
    const query = `query($first: Int!) { coAllocations(first: $first) { edges { node { legs { job { plan { candidates {
      explanation site { name scores { predictor } } } } } } } } } }`;
    const dear = await world.ask(world.tokens.admin, query, { first: 100 });
    expect({ status: dear.status, codes: codesOf(dear.errors) }).toEqual({ status: 400, codes: ['QUERY_TOO_COMPLEX'] });
    expect((await world.ask(world.tokens.admin, query, { first: 1 })).errors).toBeUndefined();
  });

  test('when many forecasts are asked for at once', async () => {
    const { quick } = world.sites;
    const one = `forecast(siteId: "${quick}", input: { processors: 1, walltimeSeconds: 60 }) { pointSeconds }`;
    const few = Array.from({ length: 5 }, (_, i) => `a${i}: ${one}`).join(' ');
    expect((await world.ask(world.tokens.admin, `{ ${few} }`)).errors).toBeUndefined();
    const plan =
      'plan(input: { processors: 1, walltimeSeconds: 60 }) { candidates { site { observations(last: 1000) { processors } } } }';
    const many = Array.from({ length: 6 }, (_, i) => `a${i}: ${plan}`).join(' ');
    expect(codesOf((await world.ask(world.tokens.admin, `{ ${many} }`)).errors)).toEqual(['QUERY_TOO_COMPLEX']);
  });

  test('when fragments multiply, before the last of 2 to the 150 is counted', async () => {
    const chain = Array.from({ length: 150 }, (_, i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`);
    const query = `{ ...F0 } ${chain.join('\n')} fragment F150 on Query { serverTime }`;
    const { status } = await world.ask(world.tokens.admin, query);
    expect(status).toBeLessThan(500);
  });

  test('when they look too deep into the schema', async () => {
    const query = `{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }`;
    const { status, errors } = await world.ask(world.tokens.admin, query);
    expect(status).toBe(400);
    expect(errors?.[0].message).toContain('introspection depth');
  });
});

describe('lists in variables are refused', () => {
  const INPUT = 'mutation($input: CoAllocateInput!) { coAllocate(input: $input) { userErrors { code } } }';
  const many = <Item>(count: number, item: Item) => Array.from({ length: count }, () => item);
  const group = { startAt: '2026-05-29T00:00:00Z', probability: 0.9 };
  const cases = [
    [
      'states',
      '30,000 states',
      'query($states: [JobState!]) { jobs(states: $states) { totalCount } }',
      () => ({ states: many(30_000, 'HELD') }),
    ],
    [
      'input.legs',
      '20,000 legs',
      INPUT,
      () => ({
        input: { ...group, rule: 'ALL', legs: many(20_000, { script: 'x', processors: 1, walltimeSeconds: 60 }) },
      }),
    ],
    [
      'input.nestedRule.members',
      '60,000 members',
      INPUT,
      () => ({ input: { ...group, nestedRule: { rule: 'ALL', members: many(60_000, null) }, legs: [work, work] } }),
    ],
    ['input.siteIds', '50,000 sites', SUBMIT, () => ({ input: { ...work, siteIds: many(50_000, 'x') } })],
    ['input.arguments', '90,000 arguments', SUBMIT, () => ({ input: { ...work, arguments: many(90_000, '') } })],
  ] as const;
  test.each(cases)('%s: %s', async (field, _what, query, variables) => {
    const wide = await askAsAdmin(query, variables());
    expect(wide.status).toBe(400);
    expect(wide.errors).toMatchObject([
      { message: expect.stringContaining(`${field.split('.').at(-1)} has `), extensions: { code: 'INVALID', field } },
    ]);
  });

  test('millions of values before they are parsed', async () => {
    const { status, errors } = await askAsAdmin(cases[0][2], {
      states: many(2_000_000, 'HELD'),
      arguments: many(3_000_000, 'x'),
    });
    expect({ status, codes: codesOf(errors) }).toEqual({ status: 400, codes: ['BAD_REQUEST'] });
    expect(errors?.[0].message).toContain('more than 100000 values');
  });

  test('a query whose text is very long', async () => {
    const { status, errors } = await askAsAdmin(`{ serverTime } #${'x'.repeat(300_000)}`, {});
    expect({ status, codes: codesOf(errors) }).toEqual({ status: 400, codes: ['BAD_REQUEST'] });
  });

  test('on sockets too', async () => {
    const error = await subscriptionError('subscription($id: ID) { jobChanged(id: $id) { id } }', {
      id: 'x'.repeat(20_000),
    });
    expect(error).toContain('id has 20000 characters');
  });

  function askAsAdmin(query: string, variables: Record<string, unknown>) {
    return world.ask(world.tokens.admin, query, variables);
  }
});

async function subscriptionError(query: string, variables: Record<string, unknown>): Promise<string> {
  const client = createClient({
    url: world.api.url.replace('http', 'ws'),
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { authorization: `Bearer ${world.tokens.admin}` },
  });
  try {
    const answers = client.iterate({ query, variables });
    return JSON.stringify(await answers.next().catch((errors: unknown) => errors));
  } finally {
    await client.dispose();
  }
}

describe('bodies are refused', () => {
  test('when they are no JSON, without a word of ours', async () => {
    for (const body of ['{"query": "{ serverTime }"', '{"query": nonsense}', '"{ serverTime }"', '']) {
      const { status, errors, data } = await ask(world.api.url, world.tokens.admin, body);
      expect({ body, status, data }).toEqual({ body, status: 400, data: undefined });
      expect(errors).toHaveLength(1);
      expect(JSON.stringify(errors)).not.toMatch(/node_modules|\.ts|\.js| at /);
    }
  });

  test('when they are of another kind', async () => {
    const response = await fetch(world.api.url, {
      method: 'POST',
      headers: { 'content-type': 'text/plain', authorization: `Bearer ${world.tokens.admin}` },
      body: '{"query": "{ serverTime }"}',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
  });

  test('when they are not in UTF-8: another text would be run', async () => {
    const before = await world.countRows();
    const response = await fetch(world.api.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${world.tokens.admin}` },
      body: Buffer.from(
        JSON.stringify({ query: SUBMIT, variables: { input: { ...work, script: 'cat é' } } }),
        'latin1',
      ),
    });
    expect(response.status).toBe(400);
    expect(JSON.stringify(await response.json())).toContain('not in UTF-8');
    expect(await world.countRows()).toEqual(before);
  });

  test('when a page of somebody else could have sent them', async () => {
    const response = await fetch(`${world.api.url}?query=${encodeURIComponent('{ __typename }')}`);
    expect(response.status).toBe(400);
    expect(JSON.stringify(await response.json())).toContain('CSRF');
  });

  test('when they are large: how large depends on who sends them', async () => {
    const before = await world.countRows();
    const send = (token: string | null, bytes: number) =>
      world.ask(token, SUBMIT, { input: { ...work, script: 'x'.repeat(bytes) } });
    const anonymous = await send(null, 20_000);
    expect({ status: anonymous.status, codes: codesOf(anonymous.errors) }).toEqual({
      status: 413,
      codes: ['BODY_TOO_LARGE'],
    });
    expect((await send(world.tokens.workflow, 100_000)).status).toBe(413);
    const admin = await send(world.tokens.admin, 100_000);
    expect(admin.data.submitJob.userErrors).toMatchObject([{ code: 'INVALID', field: 'input.script' }]);
    expect(await world.countRows()).toEqual(before);
  });

  test('elsewhere than at /graphql', async () => {
    const response = await fetch(world.api.url.replace('/graphql', '/elsewhere'));
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ errors: [{ message: expect.stringContaining('/graphql') }] });
  });
});

describe('faults of ours', () => {
  test('are masked, and logged with the id that the caller is told', async () => {
    const { db } = world.stores.database;
    await db.$executeRaw`ALTER TABLE "Score" RENAME TO "ScoreAway"`;
    try {
      const { errors, data } = await world.ask(world.tokens.admin, '{ predictorScores { count } }');
      expect(data).toBeNull();
      expect(codesOf(errors)).toEqual(['INTERNAL_SERVER_ERROR']);
      expect(JSON.stringify(errors)).not.toMatch(/Score"|prisma|relation|stack/i);
      const fault = world.logged.find(({ msg }) => msg === 'internal error');
      expect(fault).toMatchObject({
        requestId: errors?.[0].extensions.requestId,
        err: { message: expect.stringContaining('Score') },
      });
    } finally {
      await db.$executeRaw`ALTER TABLE "ScoreAway" RENAME TO "Score"`;
    }
  });
});
