import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryToReadOthers } from './outputs-of-others.ts';
import { createOutputsWorld, type OutputsWorld } from './outputs-world.ts';

let world: OutputsWorld;

beforeAll(async () => {
  world = await createOutputsWorld();
});
afterAll(() => world.close());

test('500 tries to read the output of another tenant read none of it', { timeout: 240_000 }, async () => {
  expect(await tryToReadOthers(world, 500)).toEqual({ tries: 500, read: [] });
});
