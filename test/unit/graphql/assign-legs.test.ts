import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assignLegs } from '../../../src/commands/assign-legs.ts';

test('gives every leg a site of its own, in the order of preference', () => {
  expect(
    assignLegs(
      [
        ['a', 'b'],
        ['a', 'b', 'c'],
      ],
      10,
    ),
  ).toEqual([
    ['a', 'b'],
    ['a', 'c'],
    ['b', 'a'],
    ['b', 'c'],
  ]);
});

test('finds nothing where the sites do not suffice', () => {
  expect(assignLegs([['a'], ['a']], 10)).toEqual([]);
  expect(assignLegs([['a'], []], 10)).toEqual([]);
  expect(assignLegs([], 10)).toEqual([]);
});

const sites = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'));

test('finds every assignment once, and the first ones when there is a limit', () => {
  fc.assert(
    fc.property(fc.array(sites, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 20 }), (choices, limit) => {
      const product = choices.reduce<string[][]>(
        (rows, leg) => rows.flatMap((row) => leg.map((site) => [...row, site])),
        [[]],
      );
      const all = product.filter((row) => new Set(row).size === row.length);
      expect(assignLegs(choices, Number.POSITIVE_INFINITY)).toEqual(all);
      expect(assignLegs(choices, limit)).toEqual(all.slice(0, limit));
    }),
  );
});
