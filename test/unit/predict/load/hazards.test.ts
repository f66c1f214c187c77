import { expect, test } from 'vitest';
import { AGE_STARTS, ageBinOf, lastAgeOf } from '../../../../src/predict/load/ages.ts';
import { GapMoments } from '../../../../src/predict/load/gap-moments.ts';
import { hazardAt, hazardCurve } from '../../../../src/predict/load/hazard-curve.ts';
import { HazardTable } from '../../../../src/predict/load/hazard-table.ts';
import { groupUsers, type UserSummary } from '../../../../src/predict/load/user-groups.ts';

test('ages fall into half octaves without gap or overlap', () => {
  for (let age = 1; age < 50_000; age++) {
    const bin = ageBinOf(age);
    expect(age >= (AGE_STARTS[bin] as number) && age <= lastAgeOf(bin)).toBe(true);
  }
});

test('a hazard table is events over exposed slots, by hand', () => {
  const table = new HazardTable();
  // Ages 1, 1, 3: in three slots of age 1 two came; in one of age 2 none; in one of age 3 one.
  for (const age of [1, 1, 3]) table.add(age);
  const nothing = 1e-12;
  expect(table.at(ageBinOf(1), 0, nothing)).toBeCloseTo(2 / 3, 9);
  expect(table.at(ageBinOf(2), 0, nothing)).toBeCloseTo(0, 9);
  expect(table.at(ageBinOf(3), 0, nothing)).toBeCloseTo(1, 9);
  expect(table.at(ageBinOf(1), 0.5, 3)).toBeCloseTo((2 + 1.5) / 6, 9);
  expect(table.at(ageBinOf(5000), 0.25, 10)).toBe(0.25);
});

test('the hazard of a geometric distribution is constant, whatever the age', () => {
  const table = new HazardTable();
  // 4096 users; half of those who are left submit in each slot.
  for (let age = 1; age <= 12; age++) for (let i = 0; i < 2 ** (12 - age); i++) table.add(age);
  for (const age of [1, 2, 3, 4, 6, 8]) expect(table.at(ageBinOf(age), 0, 1e-9)).toBeCloseTo(0.5, 1);
});

test('taking in a gap touches the bins and nothing more, however long the gap and the past', () => {
  const table = new HazardTable();
  table.add(2 ** 40);
  expect(table.at(AGE_STARTS.length - 1, 0, 1)).toBeGreaterThan(0);
});

test('the empirical hazard has bins of two samples (eq. 3), by hand', () => {
  // Sorted 1 1 | 2 5 | 9: bins 0-1 (2 of 5), 2-5 (2 of 3, 4 wide), 6-9 (1 of 1, 4 wide).
  const curve = hazardCurve([5, 1, 9, 1, 2], 'empirical');
  expect(hazardAt(curve, 1)).toBeCloseTo(2 / (2 * 5), 12);
  expect(hazardAt(curve, 3)).toBeCloseTo(2 / (4 * 3), 12);
  expect(hazardAt(curve, 9)).toBeCloseTo(1 / 4, 12);
  expect(hazardAt(curve, 10)).toBe(0);
});

test('Weibull finds the falling hazard that gaps were made with; gamma follows it', () => {
  // Inverse of the survival function of Weibull with shape 1/2 and scale 100 slots.
  const gaps = Array.from({ length: 4000 }, (_, i) => Math.floor(100 * Math.log(4000 / (i + 0.5)) ** 2));
  const truth = (age: number) => (0.5 / 100) * (age / 100) ** -0.5;
  for (const shape of ['weibull', 'gamma'] as const) {
    const curve = hazardCurve(gaps, shape);
    for (const age of [30, 100, 300]) {
      expect(hazardAt(curve, age) / truth(age)).toBeGreaterThan(0.5);
      expect(hazardAt(curve, age) / truth(age)).toBeLessThan(2);
    }
  }
});

test('too few gaps, none, and equal ones give a hazard that is a number within 0 and 1', () => {
  for (const gaps of [[], [3], [0, 0, 0], new Array(50).fill(7), [1, 1e9, 1e9, 2, 40, 50, 3, 9, 1e7]]) {
    for (const shape of ['gamma', 'weibull', 'empirical'] as const) {
      const curve = hazardCurve(gaps, shape);
      for (const age of [1, 2, 7, 1000, 1e9]) {
        expect(hazardAt(curve, age)).toBeGreaterThanOrEqual(0);
        expect(hazardAt(curve, age)).toBeLessThanOrEqual(1);
      }
    }
  }
});

test('moments of gaps and of their squares, by hand', () => {
  const moments = new GapMoments();
  expect(moments.features()).toEqual([0, 0, 0, 0]);
  for (const gap of [1, 3]) moments.add(gap);
  expect(moments.features()).toEqual([2, 1, 5, 4]);
});

function summary(user: string, processors: number, gaps: readonly number[]): UserSummary {
  const moments = new GapMoments();
  for (const gap of gaps) moments.add(gap);
  return { user, processors, gaps: moments };
}

test('the fifteen heaviest users stay alone, the others are three clusters by their gaps', () => {
  const heavy = Array.from({ length: 15 }, (_, i) => summary(`heavy${i}`, 1000 + i, [5, 6]));
  const light = ['fast', 'slow', 'rare'].flatMap((kind, k) =>
    Array.from({ length: 10 }, (_, i) => summary(`${kind}${i}`, i, [10 ** (k + 1) + i / 10, 3 * 10 ** (k + 1)])),
  );
  const { of } = groupUsers([...light, ...heavy], 'clustered');
  expect(new Set(heavy.map(({ user }) => of.get(user))).size).toBe(15);
  expect(new Set(light.map(({ user }) => of.get(user))).size).toBe(3);
  for (const kind of ['slow', 'rare']) {
    expect(new Set(light.filter(({ user }) => user.startsWith(kind)).map(({ user }) => of.get(user))).size).toBe(1);
  }
  const reversed = groupUsers([...light, ...heavy].reverse(), 'clustered').of;
  expect([...of].every(([user, group]) => reversed.get(user) === group)).toBe(true);
});

test('users that are alike, or fewer than clusters, are grouped all the same', () => {
  const alike = Array.from({ length: 40 }, (_, i) => summary(`u${i}`, 1, [7, 7]));
  expect(new Set(groupUsers(alike, 'clustered').of.values()).size).toBe(16);
  expect(groupUsers([], 'clustered').of.size).toBe(0);
  expect(new Set(groupUsers(alike, 'aggregate').of.values()).size).toBe(1);
  expect(new Set(groupUsers(alike, 'user').of.values()).size).toBe(40);
});
