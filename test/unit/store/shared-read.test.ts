import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Db } from '../../../src/store/database.ts';
import { sharedRead } from '../../../src/store/shared-read.ts';

/** Something that changes, and takes its time to be read. */
function slowStore() {
  let value = 0;
  let reads = 0;
  const ends: (() => void)[] = [];
  const read = sharedRead(
    (name: string) => name,
    async (_db: Db, name: string) => {
      reads++;
      const seen = value;
      await new Promise<void>((end) => ends.push(end));
      if (seen < 0) throw new Error('away');
      return `${name} ${seen}`;
    },
  );
  const endOldest = async () => {
    ends.shift()?.();
    await begun();
  };
  return { read, endOldest, write: (next: number) => (value = next), reads: () => reads };
}

/** What is about to be read is being read. */
const begun = () => sleep(5);

const db = {} as Db;

test('those who ask while it is being read share the next reading, which sees what was written until then', async () => {
  const { read, endOldest, write, reads } = slowStore();
  const first = read(db, 'a');
  await begun();
  write(1);
  const late = [read(db, 'a'), read(db, 'a'), read(db, 'a')];
  await begun();
  expect(reads()).toBe(1);
  await endOldest();
  expect(await first).toBe('a 0');
  expect(reads()).toBe(2);
  await endOldest();
  expect(await Promise.all(late)).toEqual(['a 1', 'a 1', 'a 1']);
  const fresh = read(db, 'a');
  await begun();
  await endOldest();
  expect(await fresh).toBe('a 1');
  expect(reads()).toBe(3);
});

test('others, and other transactions, have readings of their own', async () => {
  const { read, endOldest, reads } = slowStore();
  const asked = [read(db, 'a'), read(db, 'b'), read({} as Db, 'a')];
  await begun();
  expect(reads()).toBe(3);
  for (let i = 0; i < 3; i++) await endOldest();
  expect(await Promise.all(asked)).toEqual(['a 0', 'b 0', 'a 0']);
});

test('a failure is told to those who share it, and the next reading is a new one', async () => {
  const { read, endOldest, write } = slowStore();
  write(-1);
  const failed = read(db, 'a').catch((error: Error) => error.message);
  await begun();
  const next = read(db, 'a');
  write(2);
  await endOldest();
  expect(await failed).toBe('away');
  await endOldest();
  expect(await next).toBe('a 2');
});
