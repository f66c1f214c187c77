import { expect, test } from 'vitest';
import { assertPlainQueue } from '../../../adapters/shared/plain-queue.ts';
import { isMeant } from '../../../adapters/shared/same-job.ts';
import { Rejected } from '../../../src/domain/failures.ts';

test('a job is known by its key, and without one by the time of its submission', () => {
  const ref = { nativeId: '5', submittedAt: 1000 };
  expect(isMeant({ ...ref, key: 'gc-1-1' }, 'gridcast.gc-1-1', 999_999)).toBe(true);
  expect(isMeant({ ...ref, key: 'gc-1-1' }, 'gridcast.gc-1-2', 1000)).toBe(false);
  // It has given itself another name.
  expect(isMeant({ ...ref, key: 'gc-1-1' }, 'phase1', 1000)).toBe(true);
  expect(isMeant({ ...ref, key: 'gc-1-1' }, 'phase1', 999_999)).toBe(false);
  expect(isMeant({ ...ref, key: 'gc-1-1' }, null, 1000)).toBe(true);
  expect(isMeant(ref, 'anything', 1200)).toBe(true);
  expect(isMeant(ref, 'anything', 90_000)).toBe(false);
});

test('a queue is one name', () => {
  for (const queue of [null, 'batch.q', 'batch', 'all.q@host-1', '_x'])
    expect(() => assertPlainQueue(queue)).not.toThrow();
  for (const queue of ['', '-q', 'a,b', '*', 'a b', "a'b", '$(x)', 'a\nb', 'ü']) {
    expect(() => assertPlainQueue(queue)).toThrow(Rejected);
  }
});
