import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSite, findStandingSites } from '../../../src/store/sites.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

let stores: TestDatabase;
beforeAll(async () => {
  stores = await createTestDatabase();
});
afterAll(() => stores.drop());

test('those who name the same sites at a time share what is read of them, and each gets what he named', async () => {
  const { db } = stores.database;
  const made = ['a', 'b', 'c'].map((name) => createSite(db, { name, adapter: 'simulator', configuration: {}, now: 0 }));
  const [a = '', b = '', c = ''] = (await Promise.all(made)).map(({ id }) => id);
  const before = selects();
  const asked = Array.from({ length: 40 }, (_, i) => findStandingSites(db, i % 2 === 0 ? [a, b] : [c]));
  const names = (await Promise.all(asked)).map((sites) => sites.map(({ name }) => name).join(' '));
  expect(new Set(names.filter((_, i) => i % 2 === 0))).toEqual(new Set(['a b']));
  expect(new Set(names.filter((_, i) => i % 2 === 1))).toEqual(new Set(['c']));
  expect(selects() - before, 'one for each list that was named').toBe(2);
});

function selects(): number {
  return new Map(stores.statements.entries()).get('SELECT Site') ?? 0;
}
