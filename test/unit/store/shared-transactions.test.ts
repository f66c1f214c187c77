import { expect, test } from 'vitest';
import type { Db } from '../../../src/store/database.ts';
import { sharedTransactions } from '../../../src/store/shared-transactions.ts';

/** Transactions that keep what was written by those that were committed. */
function transactions({ losesCommit = false } = {}) {
  const committed: string[][] = [];
  const transact = async <T>(work: (tx: Db) => Promise<T>): Promise<T> => {
    const written: string[] = [];
    const value = await work(written as unknown as Db);
    committed.push(written);
    if (losesCommit) throw new Error('the connection was lost');
    return value;
  };
  return { share: sharedTransactions({} as Db, transact), committed };
}

const write = (name: string) => async (tx: Db) => {
  (tx as unknown as string[]).push(name);
  await Promise.resolve();
  if (name === 'bad') throw new Error('it cannot be written');
  return name;
};

test('those who write at a time share a transaction, and each is given its own value', async () => {
  const { share, committed } = transactions();
  expect(await Promise.all(['a', 'b', 'c'].map((name) => share(write(name))))).toEqual(['a', 'b', 'c']);
  expect(committed).toEqual([['a', 'b', 'c']]);
  expect(await share(write('d'))).toBe('d');
  expect(committed).toEqual([['a', 'b', 'c'], ['d']]);
});

test('one that fails takes nobody with it: each is done again by itself', async () => {
  const { share, committed } = transactions();
  const ended = await Promise.allSettled(['a', 'bad', 'c'].map((name) => share(write(name))));
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(committed).toEqual([['a'], ['c']]);
});

test('what may have been committed is not done again: all are told that it failed', async () => {
  const { share, committed } = transactions({ losesCommit: true });
  const ended = await Promise.allSettled(['a', 'b'].map((name) => share(write(name))));
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(committed).toEqual([['a', 'b']]);
});

test('a transaction has a bound', async () => {
  const { share, committed } = transactions();
  const names = Array.from({ length: 150 }, (_, n) => `${n}`);
  expect(await Promise.all(names.map((name) => share(write(name))))).toEqual(names);
  expect(Math.max(...committed.map((written) => written.length))).toBe(64);
  expect(committed.flat().toSorted()).toEqual(names.toSorted());
});
