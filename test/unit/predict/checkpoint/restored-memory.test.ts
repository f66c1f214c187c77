import { expect, test } from 'vitest';
import { keepClass } from '../../../../src/domain/kept-classes.ts';
import { readCheckpoint, writeCheckpoint } from '../../../../src/predict/checkpoint/checkpoint.ts';
import { compositionOf } from '../../../../src/predict/checkpoint/composition.ts';
import { liveBytes } from '../../../live-bytes.ts';

class Trail {
  ended = 0;
  submissions = 0;
  waiting = 0;
  quickInARow = 0;
  lastEndAt = 0;
  next: Trail | null = null;
}
keepClass(Trail);

/** One below the other, as deep as a constructor's first objects could mislead. */
function chainOf(length: number): Trail {
  const trail = new Trail();
  if (length > 1) trail.next = chainOf(length - 1);
  return trail;
}

const COUNT = 20_000;

test.each<readonly [string, () => unknown, number]>([
  ['objects of a few fields', () => ({ seconds: 1, processors: 2, at: 3 }), COUNT],
  ['objects of more', () => ({ seconds: 1, processors: 2, at: 3, lead: 4, length: 5, expected: 6, parts: 7 }), COUNT],
  ['those of a class, nested', () => chainOf(10), COUNT / 10],
  ['lists of numbers', () => [1, 2, 3], COUNT],
  ['lists of fractions', () => [0.5, 1.5], COUNT],
  ['lists of objects', () => [null, { at: 1 }, null], COUNT],
])('%s take as much once restored as they have to', (_, make, length) => {
  const kept = writeCheckpoint({ all: Array.from({ length }, () => make()) }, {});
  const restored: object[] = [];
  // What others in this process take meanwhile, such as compiled code, comes to some of them.
  const grown = Array.from({ length: 9 }, () => {
    const before = liveBytes();
    restored.push(readCheckpoint(kept, { all: [] }));
    return liveBytes() - before;
  }).sort((one, other) => one - other);
  const least = compositionOf(restored[0] as object, 0).reduce((sum, { objectBytes }) => sum + objectBytes, 0);
  expect((grown[4] as number) / least).toBeLessThan(1.2);
});
