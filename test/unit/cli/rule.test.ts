import { expect, test } from 'vitest';
import { CliFailure } from '../../../src/cli/failure.ts';
import { parseRule } from '../../../src/cli/parse/rule.ts';

test('one word is a rule over all legs', () => {
  expect(parseRule('at-least')).toEqual({ rule: 'AT_LEAST', nestedRule: null });
});

test('rules nest, and whatever is no rule names a leg', () => {
  expect(parseRule('all( any(a, b), at-least-2(c,d,north site) )')).toEqual({
    rule: null,
    nestedRule: {
      rule: 'ALL',
      members: [
        { rule: 'ANY', members: [{ leg: 'a' }, { leg: 'b' }] },
        { rule: 'AT_LEAST', atLeast: 2, members: [{ leg: 'c' }, { leg: 'd' }, { leg: 'north site' }] },
      ],
    },
  });
});

test.each([
  'most',
  'most(a,b)',
  'all(a,b',
  'all(a,b))',
  'all()',
  'all(a,,b)',
  'all(a b)c',
  'at-least(a,b)',
])('%s is refused with an example', (text) => {
  expect(() => parseRule(text)).toThrow(CliFailure);
});
