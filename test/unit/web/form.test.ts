import { afterEach, describe, expect, test } from 'vitest';
import { timeTicks } from '../../../src/web/ui/scale.ts';
import { momentsOf, readDuration, readForm, startFields } from '../../../src/web/views/reserve/form.ts';

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

const filled = {
  name: 'a',
  script: 'true',
  processors: '8',
  walltime: '1h',
  probability: '0.9',
  siteId: '',
  isSecondStart: false,
};

test('a form says what is wrong with which field, or what is asked for', () => {
  const { terms, faults } = readForm({ ...filled, startAt: '2026-11-23T14:00' }, 0);
  expect(faults).toEqual({});
  expect(terms).toMatchObject({ processors: 8, walltimeSeconds: 3600, probability: 0.9, siteIds: null });
  const wrong = readForm({ ...filled, processors: '2.5', probability: '1', startAt: '' }, 0);
  expect(readForm({ ...filled, startAt: '2026-11-23T14:00' }, Date.UTC(2027, 0)).faults).toHaveProperty('startAt');
  expect(wrong.terms).toBeNull();
  expect(Object.keys(wrong.faults).sort()).toEqual(['probability', 'processors', 'startAt']);
});

describe('as clocks are set', () => {
  const { TZ } = process.env;
  afterEach(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });

  test('a time that is left out is a fault', () => {
    process.env.TZ = 'Australia/Sydney';
    const { terms, faults } = readForm({ ...filled, startAt: '2026-10-04T02:30' }, 0);
    expect(terms).toBeNull();
    expect(faults.startAt).toMatch(/There is no such time/);
    expect(readForm({ ...filled, startAt: '2026-10-04T03:30' }, 0).terms?.startAt).toBe('2026-10-03T16:30:00.000Z');
  });

  test('a time that comes twice is the one that is meant', () => {
    process.env.TZ = 'Europe/Berlin';
    const [first, second] = [Date.UTC(2026, 9, 25, 0, 30), Date.UTC(2026, 9, 25, 1, 30)];
    expect(momentsOf('2026-10-25T02:30')).toEqual([first, second]);
    for (const at of [first, second, second + 3_600_000]) {
      expect(readForm({ ...filled, ...startFields(at) }, 0).terms?.startAt).toBe(new Date(at).toISOString());
    }
    expect(startFields(second).startAt).toBe(startFields(first).startAt);
  });

  test.each([
    'UTC',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'America/St_Johns',
  ])('every moment is kept in %s', (zone) => {
    process.env.TZ = zone;
    for (let at = Date.UTC(2026, 0); at < Date.UTC(2027, 0); at += 1_800_000) {
      expect(readForm({ ...filled, ...startFields(at) }, 0).terms?.startAt).toBe(new Date(at).toISOString());
    }
  });

  test.each([
    ['2026-10-24T10:00Z', '2026-10-26T10:00Z'],
    ['2026-03-28T10:00Z', '2026-03-30T10:00Z'],
    ['2026-10-20T10:00Z', '2026-11-09T10:00Z'],
  ])('moments on an axis from %s to %s are round all along', (from, to) => {
    process.env.TZ = 'Europe/Berlin';
    const ticks = timeTicks(Date.parse(from), Date.parse(to), 5);
    expect(ticks.length).toBeGreaterThan(2);
    for (const at of ticks) expect(new Date(at).getHours() % 12).toBe(0);
    expect([...ticks].sort((one, other) => one - other)).toEqual(ticks);
  });
});
