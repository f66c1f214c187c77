import { type ExecutionResult, GraphQLID, GraphQLObjectType, GraphQLSchema, GraphQLString, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/commands/carry-out/context.ts';
import { ChangeHub } from '../../../src/graphql/change-hub.ts';
import type { ApiContext } from '../../../src/graphql/context.ts';
import { subscribeShared } from '../../../src/graphql/shared-answers.ts';

/** Who follows, as far as answers depend on it. */
interface Caller {
  readonly tenantId: string;
  readonly role: 'GATEWAY' | 'WORKFLOW' | 'ADMIN';
  readonly isGood?: () => boolean;
}

/** @param cost of each answer */
function createWorld({ cost = 1, maxSubscriptionCost = 20_000, pause = async () => {} } = {}) {
  const changes = new ChangeHub();
  const subscribe = subscribeShared(changes);
  const workedOut: string[] = [];
  const thing = {
    type: GraphQLString,
    extensions: { complexity: cost },
    args: { id: { type: GraphQLID } },
    subscribe: () => changes.follow(() => true, []),
    async resolve(changedId: unknown, _args: unknown, { principal }: ApiContext) {
      workedOut.push(`${changedId}${principal?.tenantId === 'biology' ? ' for biology' : ''}`);
      await pause();
      return `${changedId} for ${principal?.role} of ${principal?.tenantId}`;
    },
  };
  const query = new GraphQLObjectType({ name: 'Query', fields: { none: { type: GraphQLString } } });
  const subscription = new GraphQLObjectType({ name: 'Subscription', fields: { thing } });
  const schema = new GraphQLSchema({ query, subscription });
  const follow = async ({ tenantId, role, isGood = () => true }: Caller, words = 'subscription { thing }') => {
    const recheck = async () => {
      if (!isGood()) throw new Error('the token is not good any more');
    };
    const commands = { limits: { ...DEFAULT_LIMITS, maxSubscriptionCost } };
    const contextValue = { principal: { tenantId, role }, recheck, commands } as unknown as ApiContext;
    const told = await subscribe({ schema, document: parse(words), contextValue });
    return told as AsyncIterableIterator<ExecutionResult> & ExecutionResult;
  };
  const tell = (id: string) => changes.publish({ type: 'SITE', id, tenantId: null });
  return { follow, tell, workedOut };
}

const next = async (followers: readonly AsyncIterableIterator<ExecutionResult>[]) =>
  (await Promise.all(followers.map((one) => one.next()))).map(({ value }) => value as ExecutionResult);

describe('an answer to a change', () => {
  test('is worked out once for all of one tenant and role who ask the same, and again for the next change', async () => {
    const { follow, tell, workedOut } = createWorld();
    const same = await Promise.all([1, 2, 3].map(() => follow({ tenantId: 'physics', role: 'GATEWAY' })));
    for (const id of ['a', 'b']) {
      const told = next(same);
      tell(id);
      const answers = await told;
      expect(answers.map(({ data }) => ({ ...data }))).toEqual(
        Array(3).fill({ thing: `${id} for GATEWAY of physics` }),
      );
    }
    expect(workedOut).toEqual(['a', 'b']);
  });

  test('is its own for another role, another tenant, and other words', async () => {
    const { follow, tell, workedOut } = createWorld();
    const followers = [
      await follow({ tenantId: 'physics', role: 'GATEWAY' }),
      await follow({ tenantId: 'physics', role: 'ADMIN' }),
      await follow({ tenantId: 'biology', role: 'GATEWAY' }),
      await follow({ tenantId: 'physics', role: 'GATEWAY' }, 'subscription { other: thing }'),
    ];
    const told = next(followers);
    tell('a');
    expect((await told).map(({ data }) => ({ ...data }))).toEqual([
      { thing: 'a for GATEWAY of physics' },
      { thing: 'a for ADMIN of physics' },
      { thing: 'a for GATEWAY of biology' },
      { other: 'a for GATEWAY of physics' },
    ]);
    expect(workedOut).toHaveLength(4);
  });

  test('is for nobody whose token is not good any more, whoever else may have it', async () => {
    const { follow, tell } = createWorld();
    let isGood = true;
    const out = await follow({ tenantId: 'physics', role: 'GATEWAY', isGood: () => isGood });
    const stays = await follow({ tenantId: 'physics', role: 'GATEWAY' });
    isGood = false;
    const told = next([out, stays]);
    tell('a');
    const [refused, shown] = await told;
    expect(refused?.data).toBeUndefined();
    expect(refused?.errors?.map(({ message }) => message)).toEqual(['the token is not good any more']);
    expect(shown?.data).toEqual({ thing: 'a for GATEWAY of physics' });
  });

  test('is waited for by nobody who has left', async () => {
    const { follow } = createWorld();
    const one = await follow({ tenantId: 'physics', role: 'GATEWAY' });
    const waiting = one.next();
    await one.return?.();
    expect((await waiting).done).toBe(true);
  });
});

describe('dear answers of one tenant', () => {
  const other = (n: number) => `subscription { a${n}: thing }`;

  test('are worked out one at a time, in turns with those of others', async () => {
    const underWay: (() => void)[] = [];
    const { follow, tell, workedOut } = createWorld({ cost: 600, pause: () => new Promise((go) => underWay.push(go)) });
    const many = await Promise.all([1, 2, 3].map((n) => follow({ tenantId: 'physics', role: 'GATEWAY' }, other(n))));
    const neighbour = await follow({ tenantId: 'biology', role: 'GATEWAY' });
    const told = next([...many, neighbour]);
    tell('a');
    await expect.poll(() => workedOut).toEqual(['a', 'a for biology']);
    await aMoment();
    expect(workedOut).toHaveLength(2);
    for (let left = 2; left > 0; left--) {
      for (const goOn of underWay.splice(0)) goOn();
      await expect.poll(() => underWay.length).toBe(1);
    }
    underWay[0]?.();
    expect(await told).toHaveLength(4);
    expect(workedOut).toEqual(['a', 'a for biology', 'a', 'a']);
  });

  test('leave what else the process does between any two', async () => {
    const { follow, tell, workedOut } = createWorld({ cost: 600 });
    const many = await Promise.all(
      Array.from({ length: 20 }, (_, n) => follow({ tenantId: 'physics', role: 'GATEWAY' }, other(n))),
    );
    const seen: number[] = [];
    const told = next(many).then(() => seen.push(20));
    tell('a');
    while (workedOut.length < 20) {
      await new Promise(setImmediate);
      seen.push(workedOut.length);
    }
    await told;
    expect(new Set(seen).size).toBeGreaterThan(15);
  });

  test('are not told again for changes that came before they were worked out', async () => {
    const underWay: (() => void)[] = [];
    const { follow, tell, workedOut } = createWorld({ cost: 600, pause: () => new Promise((go) => underWay.push(go)) });
    const first = await follow({ tenantId: 'physics', role: 'GATEWAY' }, other(1));
    const second = await follow({ tenantId: 'physics', role: 'GATEWAY' }, other(2));
    const told = next([first, second]);
    tell('a');
    await expect.poll(() => underWay.length).toBe(1);
    // The first one's answer may miss it, the second one's waits yet and will hold it.
    tell('a');
    underWay.pop()?.();
    await expect.poll(() => underWay.length).toBe(1);
    underWay.pop()?.();
    await told;
    const again = [first.next(), second.next()];
    await expect.poll(() => underWay.length).toBe(1);
    underWay.pop()?.();
    await again[0];
    await aMoment();
    expect(workedOut).toHaveLength(3);
    await second.return?.();
    expect((await again[1])?.done).toBe(true);
  });
});

test('answers that cost little are worked out together', async () => {
  const underWay: (() => void)[] = [];
  const { follow, tell } = createWorld({ cost: 300, pause: () => new Promise((go) => underWay.push(go)) });
  const many = await Promise.all(
    [1, 2, 3, 4, 5].map((n) => follow({ tenantId: 'physics', role: 'GATEWAY' }, `subscription { a${n}: thing }`)),
  );
  const told = next(many);
  tell('a');
  await expect.poll(() => underWay.length).toBe(3);
  await aMoment();
  expect(underWay).toHaveLength(3);
  for (const goOn of underWay.splice(0)) goOn();
  await expect.poll(() => underWay.length).toBe(2);
  for (const goOn of underWay.splice(0)) goOn();
  expect(await told).toHaveLength(5);
});

test('answers that take long hold up no other ones of their tenant for more than a moment', async () => {
  const underWay: (() => void)[] = [];
  const { follow, tell, workedOut } = createWorld({
    cost: 600,
    pause: () => new Promise((go) => underWay.push(go)),
  });
  const slow = await follow({ tenantId: 'physics', role: 'GATEWAY' }, 'subscription { a1: thing }');
  const quick = await follow({ tenantId: 'physics', role: 'GATEWAY' }, 'subscription { a2: thing }');
  const told = next([slow, quick]);
  tell('a');
  await expect.poll(() => workedOut.length, { timeout: 10_000 }).toBe(2);
  for (const goOn of underWay) goOn();
  expect(await told).toHaveLength(2);
});

describe('the subscriptions of a tenant', () => {
  test('cost no more together than its bound, until some end', async () => {
    const { follow, tell } = createWorld({ maxSubscriptionCost: 4 });
    const words = 'subscription { thing }';
    const open = await Promise.all([1, 2, 3, 4].map(() => follow({ tenantId: 'physics', role: 'GATEWAY' }, words)));
    const refused = await follow({ tenantId: 'physics', role: 'WORKFLOW' }, words);
    expect(refused.errors).toMatchObject([
      {
        message:
          'with this subscription, which costs 1, those of your tenant that are open would cost 5, at most 4 is allowed; end some first, or ask for fewer fields',
        originalError: { code: 'BUSY' },
      },
    ]);
    const neighbour = await follow({ tenantId: 'biology', role: 'GATEWAY' });
    const told = next([neighbour]);
    tell('a');
    expect((await told)[0]?.errors).toBeUndefined();
    await open[0]?.return?.();
    expect((await follow({ tenantId: 'physics', role: 'GATEWAY' }, words)).errors).toBeUndefined();
  });

  test('count for nothing when they never began', async () => {
    const { follow } = createWorld({ maxSubscriptionCost: 1 });
    const broken = 'subscription($id: ID!) { thing(id: $id) }';
    expect((await follow({ tenantId: 'physics', role: 'GATEWAY' }, broken)).errors).toHaveLength(1);
    expect((await follow({ tenantId: 'physics', role: 'GATEWAY' })).errors).toBeUndefined();
  });

  test('count until what is worked out for them is there', async () => {
    const underWay: (() => void)[] = [];
    const { follow, tell } = createWorld({
      maxSubscriptionCost: 1,
      pause: () => new Promise((go) => underWay.push(go)),
    });
    const leaving = await follow({ tenantId: 'physics', role: 'GATEWAY' });
    const told = leaving.next();
    tell('a');
    await expect.poll(() => underWay.length).toBe(1);
    await leaving.return?.();
    expect((await follow({ tenantId: 'physics', role: 'GATEWAY' })).errors).toHaveLength(1);
    underWay[0]?.();
    await told;
    expect((await follow({ tenantId: 'physics', role: 'GATEWAY' })).errors).toBeUndefined();
  });
});

const aMoment = () => new Promise((go) => setTimeout(go, 30));
