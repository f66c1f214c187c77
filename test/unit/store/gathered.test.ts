import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Db } from '../../../src/store/database.ts';
import { ANY, gathered, padded } from '../../../src/store/gathered.ts';

/** A gathered read of doubled numbers that ends when it is told to, and what was asked of it. */
function doubling(keyOf: (item: number) => string = ANY, { most = 3, paceMilliseconds = 0 } = {}) {
  const sent: number[][] = [];
  const ends: (() => void)[] = [];
  const ask = gathered(
    keyOf,
    async (_db, items: readonly number[]) => {
      sent.push([...items]);
      await new Promise<void>((end) => ends.push(end));
      if (items.includes(0)) throw new Error('nothing to double');
      return items.map((item) => 2 * item);
    },
    { most, paceMilliseconds },
  );
  const end = async () => {
    ends.shift()?.();
    await settled();
  };
  return { ask, sent, end };
}

const settled = () => sleep(5);
const database = () => ({}) as Db;

test('those who ask at a time share a statement, and who comes while it is under way is in the next one', async () => {
  const db = database();
  const { ask, sent, end } = doubling();
  const first = [ask(db, 1), ask(db, 2)];
  await settled();
  const late = [ask(db, 3), ask(db, 4)];
  await settled();
  expect(sent).toEqual([[1, 2]]);
  await end();
  expect(await Promise.all(first)).toEqual([2, 4]);
  expect(sent).toEqual([
    [1, 2],
    [3, 4],
  ]);
  await end();
  expect(await Promise.all(late)).toEqual([6, 8]);
});

test('a statement has so many items at most; what is not alike, and other databases, have statements of their own', async () => {
  const { ask, sent, end } = doubling((item) => String(item % 2));
  const db = database();
  const all = [...[1, 2, 3, 5, 7].map((item) => ask(db, item)), ask(database(), 9)];
  await settled();
  expect(sent).toEqual([[1, 3, 5], [2], [9]]);
  for (let left = 4; left > 0; left--) await end();
  expect(sent.at(-1)).toEqual([7]);
  expect(await Promise.all(all)).toEqual([2, 4, 6, 10, 14, 18]);
});

test('a fault is told to all of its statement and to nobody else', async () => {
  const db = database();
  const { ask, end } = doubling(ANY, { most: 2 });
  const answers = Promise.allSettled([1, 0, 2].map((item) => ask(db, item)));
  await settled();
  await end();
  await end();
  expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});

test('a statement that does not end holds the next one back for a second', async () => {
  const db = database();
  const { ask, sent, end } = doubling();
  const stuck = ask(db, 1);
  await settled();
  const next = ask(db, 2);
  await sleep(1100);
  expect(sent).toEqual([[1], [2]]);
  await end();
  await end();
  expect(await Promise.all([stuck, next])).toEqual([2, 4]);
});

test('one that follows a shared one begins some time after it, one that follows a single one does not', async () => {
  const db = database();
  const { ask, sent, end } = doubling(ANY, { paceMilliseconds: 100 });
  const shared = [ask(db, 1), ask(db, 2)];
  await settled();
  const next = ask(db, 3);
  await end();
  expect(await Promise.all(shared)).toEqual([2, 4]);
  expect(sent).toHaveLength(1);
  await sleep(150);
  expect(sent).toHaveLength(2);
  const last = ask(db, 4);
  await end();
  expect(await next).toBe(6);
  expect(sent).toHaveLength(3);
  await end();
  expect(await last).toBe(8);
});

test('lists are of few lengths, the last item again', () => {
  expect(padded([])).toEqual([]);
  expect(padded(['a'])).toEqual(['a']);
  expect(padded(['a', 'b', 'c'])).toEqual(['a', 'b', 'c', 'c']);
  expect(padded(Array.from({ length: 33 }, (_, n) => n))).toHaveLength(64);
});
