import { expect, test } from 'vitest';
import { readDuration, readForm } from '../../../src/web/views/reserve/form.ts';

test.each([
  ['90m', 5400],
  ['1h30m', 5400],
  ['1 h 30 min', 5400],
  ['1:30:00', 5400],
  ['0:45', 2700],
  ['2d', 172_800],
  ['600s', 600],
  ['', null],
  ['soon', null],
  ['1h later', null],
  ['-1h', null],
  ['10', null],
])('%s is %s seconds', (text, seconds) => {
  expect(readDuration(text)).toBe(seconds);
});

const filled = { name: 'a', script: 'true', processors: '8', walltime: '1h', probability: '0.9', siteId: '' };

test('a form says what is wrong with which field, or what is asked for', () => {
  const { terms, faults } = readForm({ ...filled, startAt: '2026-11-23T14:00' }, 0);
  expect(faults).toEqual({});
  expect(terms).toMatchObject({ processors: 8, walltimeSeconds: 3600, probability: 0.9, siteIds: null });
  const wrong = readForm({ ...filled, processors: '2.5', probability: '1', startAt: '' }, 0);
  expect(readForm({ ...filled, startAt: '2026-11-23T14:00' }, Date.UTC(2027, 0)).faults).toHaveProperty('startAt');
  expect(wrong.terms).toBeNull();
  expect(Object.keys(wrong.faults).sort()).toEqual(['probability', 'processors', 'startAt']);
});
