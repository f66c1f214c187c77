import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiWorld, createApiWorld } from '../graphql/api-world.ts';
import { expectForgotten } from './undone-import.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld({}, { predictor: 'wait/gridcast' });
});
afterAll(() => world.close());

test('an import that was undone is forgotten, too, by a predictor that had lived through it', async () => {
  await expectForgotten(world);
  expect(world.logged.filter(({ level }) => level === 50)).toEqual([]);
}, 240_000);
