import { expect, test } from 'vitest';
import { inTurn } from '../../../src/flow/steps/planning/in-turn.ts';

test('works that ask the same are done one after another, a failed one holds nobody up', async () => {
  const asked = {};
  const seen: string[] = [];
  const work = (name: string) => async () => {
    seen.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(`${name} ends`);
    if (name === 'a') throw new Error(name);
    return name;
  };
  const all = await Promise.allSettled(['a', 'b', 'c'].map((name) => inTurn(asked, work(name))));
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

test('nobody waits for long for one that does not end, nor for others', async () => {
  const asked = {};
  let end = () => {};
  const stuck = inTurn(asked, () => new Promise<void>((resolve) => (end = resolve)));
  expect(await inTurn({}, async () => 'another')).toBe('another');
  expect(await inTurn(asked, async () => 'next')).toBe('next');
  end();
  await stuck;
});
