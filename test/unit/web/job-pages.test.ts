import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JobPages, noPages, readAnew, rowsOf, withPage, withTold } from '../../../src/web/views/jobs/job-pages.ts';

interface Row {
  readonly id: string;
  readonly state: string;
}

const row = (id: string, state = 'HELD'): Row => ({ id, state });
const page = (rows: Row[], totalCount: number, place: 'first' | 'middle' | 'last' | 'only') => ({
  ...{ rows, totalCount },
  isFirst: place === 'first' || place === 'only',
  isLast: place === 'last' || place === 'only',
  hasMore: place === 'first' || place === 'middle',
});

test('what changes while the pages are read stays changed, and a job that comes is counted once', () => {
  let pages: JobPages<Row> = withPage(readAnew<Row>(noPages()), page([row('d'), row('c')], 4, 'first'));
  pages = withTold(pages, row('d', 'ENDED'), true);
  pages = withTold(pages, row('e'), true);
  pages = withTold(pages, row('c'), false);
  pages = withPage(pages, page([row('b'), row('a')], 5, 'last'));
  expect(rowsOf(pages)).toEqual([row('e'), row('d', 'ENDED'), row('b'), row('a')]);
  expect(pages.total).toBe(4);
});

test('what was told before a reading is no newer than its pages', () => {
  let pages = withPage(noPages<Row>(), page([row('b'), row('a')], 2, 'only'));
  pages = withTold(pages, row('a', 'RUNNING'), true);
  pages = readAnew(pages);
  expect(rowsOf(pages)).toEqual([row('b'), row('a', 'RUNNING')]);
  // While nobody could tell, it ended, and the other one went.
  pages = withPage(pages, page([row('a', 'ENDED')], 1, 'only'));
  expect(rowsOf(pages)).toEqual([row('a', 'ENDED')]);
  expect(pages.total).toBe(1);
});

test('of more than are read those that are not held count, too', () => {
  let pages = withPage(noPages<Row>(), { ...page([row('c'), row('b')], 9, 'only'), hasMore: true });
  pages = withTold(pages, row('d'), true);
  pages = withTold(pages, row('x'), false);
  expect(rowsOf(pages)).toEqual([row('d'), row('c'), row('b')]);
  expect(pages).toMatchObject({ total: 10, told: new Map() });
});

test('whenever changes come between the pages, in the end each job stands there once, as it was told last', () => {
  const change = fc.record({ id: fc.integer({ min: 0, max: 30 }), page: fc.nat(4), isWanted: fc.boolean() });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const ids = Array.from({ length: 20 }, (_, index) => `${30 - index}`);
      let pages = readAnew<Row>(noPages());
      const expected = new Map<string, string | null>(ids.map((id) => [id, 'HELD']));
      for (let number = 0; number < 5; number++) {
        const rows = ids.slice(4 * number, 4 * number + 4).map((id) => row(id));
        const place = number === 0 ? 'first' : number === 4 ? 'last' : 'middle';
        pages = withPage(pages, page(rows, 20, place));
        changes.forEach(({ id, page: after, isWanted }, index) => {
          if (after !== number) return;
          pages = withTold(pages, row(`${id}`, `${index}`), isWanted);
          expected.set(`${id}`, isWanted ? `${index}` : null);
        });
      }
      const wanted = [...expected].filter(([, state]) => state !== null).map(([id, state]) => ({ id, state }));
      const byId = (one: { id: string }, other: { id: string }) => Number(one.id) - Number(other.id);
      expect(rowsOf(pages).toSorted(byId)).toEqual(wanted.toSorted(byId));
      expect(pages.total).toBe(wanted.length);
    }),
  );
});
