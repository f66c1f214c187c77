import { type ExecutionResult, GraphQLID, GraphQLObjectType, GraphQLSchema, GraphQLString, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { ChangeHub } from '../../../src/graphql/change-hub.ts';
import type { ApiContext } from '../../../src/graphql/context.ts';
import { subscribeShared } from '../../../src/graphql/shared-answers.ts';

/** Who follows, as far as answers depend on it. */
interface Caller {
  readonly tenantId: string;
  readonly role: 'GATEWAY' | 'ADMIN';
  readonly isGood?: () => boolean;
}

function createWorld() {
  const changes = new ChangeHub();
  const workedOut: string[] = [];
  const thing = {
    type: GraphQLString,
    args: { id: { type: GraphQLID } },
    subscribe: () => changes.follow(() => true, []),
    resolve(changedId: unknown, _args: unknown, { principal }: ApiContext) {
      workedOut.push(String(changedId));
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
    const contextValue = { principal: { tenantId, role }, recheck } as unknown as ApiContext;
    const told = await subscribeShared(changes)({ schema, document: parse(words), contextValue });
    return told as AsyncIterableIterator<ExecutionResult>;
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
