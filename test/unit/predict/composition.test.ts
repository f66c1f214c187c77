import { describe, expect, test } from 'vitest';
import { compositionOf } from '../../../src/predict/checkpoint/composition.ts';
import { liveBytes } from '../../live-bytes.ts';

describe('what something takes in memory', () => {
  const shared = new Float64Array(1000);
  const learned = {
    waits: { rows: shared, names: new Map([['a job', { queue: 'a queue' }]]) },
    runtimes: [{ name: 'runtime/one', rows: shared, counts: [1, 2, 3] }],
  };
  const of = (depth: number) =>
    new Map(compositionOf(learned, depth, (one) => ('name' in one ? `${one.name}` : null)).map((p) => [p.path, p]));

  test('by fields, the largest first; what is shared goes under the first', () => {
    const parts = compositionOf(learned, 2);
    expect(parts[0]).toMatchObject({ path: 'waits.rows', arrayBytes: 8000 });
    expect(of(2).get('runtimes.runtime/one')?.arrayBytes).toBe(0);
  });

  test('elements of lists and maps go under that of their list, but for those with a name', () => {
    expect([...of(9).keys()].sort()).toEqual([
      '',
      'runtimes',
      'runtimes.runtime/one',
      'runtimes.runtime/one.counts',
      'runtimes.runtime/one.name',
      'waits',
      'waits.names',
      'waits.names.queue',
      'waits.rows',
    ]);
  });

  test('is about what the heap grows by', () => {
    const heapBefore = liveBytes();
    const many = Array.from({ length: 200_000 }, (_, i) => ({ at: i + 0.5, name: null, place: i }));
    const grown = liveBytes() - heapBefore;
    const told = compositionOf(many, 0).reduce((sum, { objectBytes }) => sum + objectBytes, 0);
    expect(told / grown).toBeGreaterThan(0.6);
    expect(told / grown).toBeLessThan(1.6);
  });
});
