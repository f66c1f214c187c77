import { expect, test } from 'vitest';
import { readJobFilters } from '../../../src/web/views/jobs/filters.ts';

test.each([
  // As the router reads `?text=123`, `?text=true` and `?states=QUEUED` that somebody wrote by hand.
  [{ text: 123 }, { text: '123' }],
  [{ text: true }, { text: 'true' }],
  [{ states: 'QUEUED' }, { states: ['QUEUED'] }],
  [{ states: ['ENDED', 'QUEUED', 'GONE'] }, { states: ['QUEUED', 'ENDED'] }],
  [{ states: 'GONE', siteId: 5, label: '=', text: { a: 1 }, reserved: 1, more: 'x' }, {}],
])('an address that says %o filters by %o', (said, filters) => {
  expect(readJobFilters(said)).toEqual(filters);
});
