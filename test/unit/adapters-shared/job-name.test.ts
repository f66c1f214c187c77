import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jobNameOf, keyOfJobName } from '../../../adapters/shared/job-name.ts';
import { Rejected } from '../../../src/domain/failures.ts';

test('a key is read back out of the name that bears it, and out of no other', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9][\w.-]{0,79}$/), (key) => {
      expect(keyOfJobName(jobNameOf(key))).toBe(key);
      expect(keyOfJobName(key.startsWith('gridcast.') ? null : key)).toBeNull();
    }),
  );
  expect(keyOfJobName(null)).toBeNull();
});

test('a key that a batch system might read something into is refused', () => {
  for (const key of ['', '-x', 'a b', "a'b", 'a/b', 'a:b', 'a\nb', '*', 'x'.repeat(81), 'ü']) {
    expect(() => jobNameOf(key)).toThrow(Rejected);
  }
});
