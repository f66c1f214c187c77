import { expect, test } from 'vitest';
import { preparedNames } from '../../../src/store/prepared-names.ts';

test('a statement gets a name of its own once it comes again and again, and keeps it', () => {
  const nameOf = preparedNames();
  const ask = (sql: string, times: number) => Array.from({ length: times }, () => nameOf({ sql }));
  const often = ask('SELECT 1', 10);
  expect(often.slice(0, 4)).toEqual(['', '', '', '']);
  expect(new Set(often.slice(4)).size).toBe(1);
  expect(often[9]).not.toBe('');
  expect(ask('SELECT 2', 10)[9]).not.toBe(often[9]);
  expect(nameOf({ sql: 'SELECT 1' })).toBe(often[9]);
});

test('texts without end get no names without end', () => {
  const nameOf = preparedNames();
  const names = new Set<string>();
  for (let i = 0; i < 5000; i++) for (let again = 0; again < 6; again++) names.add(nameOf({ sql: `SELECT ${i}` }));
  expect(names.size).toBeLessThanOrEqual(201);
});
