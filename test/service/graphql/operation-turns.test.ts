import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ApiWorld, createApiWorld } from './api-world.ts';

const PLAN = 'query($input: PlanInput!) { plan(input: $input) { candidates { site { name } } } }';
const SMALL = { input: { processors: 1, walltimeSeconds: 60 } };

describe('an API process', () => {
  let world: ApiWorld;
  beforeAll(async () => {
    world = await createApiWorld();
  });
  afterAll(() => world.close());

  test('keeps nobody waiting for a tenant that asks hundreds of times at once', async () => {
    let answered = 0;
    const many = Array.from({ length: 400 }, async () => {
      const { data } = await world.ask(world.tokens.workflow, PLAN, SMALL);
      answered++;
      return data?.plan;
    });
    await many[0];
    const before = answered;
    const { data } = await world.ask(world.tokens.stranger, PLAN, SMALL);
    expect(data.plan.candidates).not.toEqual([]);
    expect(answered - before).toBeLessThan(100);
    for (const plan of await Promise.all(many)) expect(plan?.candidates).not.toEqual([]);
  });
});

describe('operations beyond those that a tenant may have in hand', () => {
  let world: ApiWorld;
  afterEach(() => world.close());

  const askMany = (count: number) =>
    Promise.all(Array.from({ length: count }, () => world.ask(world.tokens.workflow, PLAN, SMALL)));

  test('are refused when too many wait', async () => {
    world = await createApiWorld({ maxOperations: 1, maxWaitingOperations: 2 });
    const answers = await askMany(6);
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(refused).toHaveLength(3);
    expect(refused[0]?.errors).toMatchObject([{ message: expect.stringMatching(/^3 /), extensions: { code: 'BUSY' } }]);
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
  });

  test('are refused when they waited for as long as an operation may take', async () => {
    world = await createApiWorld({ maxOperations: 0, maxOperationSeconds: 0.2 });
    const { status, errors } = await world.ask(world.tokens.workflow, PLAN, SMALL);
    expect(status).toBe(429);
    expect(errors).toMatchObject([{ message: expect.stringContaining('waited 0.2 s'), extensions: { code: 'BUSY' } }]);
  });

  test('go on after others whose callers hang up, in hand and waiting', async () => {
    world = await createApiWorld({ maxOperations: 2 });
    const headers = { authorization: `Bearer ${world.tokens.workflow}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ query: PLAN, variables: SMALL });
    const hungUp = Array.from({ length: 40 }, (_, n) =>
      fetch(world.api.url, { method: 'POST', headers, body, signal: AbortSignal.timeout(1 + n) }).catch(() => null),
    );
    await Promise.all(hungUp);
    for (const { status } of await askMany(5)) expect(status).toBe(200);
  });
});
