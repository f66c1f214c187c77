import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ClassLevels } from '../../../../src/predict/online/class-levels.ts';
import { levelClassesOf } from '../../../../src/predict/wait/gridcast/level-classes.ts';

const STEP = 0.01;
const none = new Float64Array(99).fill(-1);
const percentAt = (levels: Float64Array, percent: number) => levels[percent - 1] as number;

describe('levels by class', () => {
  test('nothing is moved before anything is learned', () => {
    const levels = new ClassLevels(STEP).of(['all', 'size 1']);
    levels.forEach((level, i) => {
      expect(level).toBeCloseTo((i + 1) / 100, 9);
    });
  });

  test('by hand: a miss raises the level by step x percentile in every class of the job, and in no other', () => {
    const levels = new ClassLevels(STEP);
    levels.learn(['all', 'large'], none, 100);
    expect(percentAt(levels.of(['all', 'large']), 50)).toBeCloseTo(0.5 + 2 * STEP * 0.5, 9);
    expect(percentAt(levels.of(['all', 'small']), 50)).toBeCloseTo(0.5 + STEP * 0.5, 9);
    expect(percentAt(levels.of(['small']), 50)).toBeCloseTo(0.5, 9);
  });

  test('where six in ten start at once and that is what is said, no level moves in the long run', () => {
    const levels = new ClassLevels(STEP);
    const spread = (percentile: number) => (percentile <= 60 ? 0 : percentile);
    for (let i = 0; i < 5000; i++) {
      const asked = levels.of(['all']);
      const waits = ((i * 61) % 100) + 1;
      levels.learn(
        ['all'],
        asked.map((level) => spread(Math.round(100 * level))),
        spread(waits),
      );
    }
    for (const percent of [10, 50, 59, 80, 95]) {
      expect(Math.abs(percentAt(levels.of(['all']), percent) - percent / 100)).toBeLessThan(0.05);
    }
  });

  test('levels come true in each class, though the spread is wrong in another way in each', () => {
    const levels = new ClassLevels(0.002);
    const within = new Map<string, number[]>();
    const jobs = 8000;
    for (let i = 0; i < jobs; i++) {
      const size = i % 2 === 0 ? 'large' : 'small';
      const uniform = ((i * 7919) % 1009) / 1009;
      const wait = size === 'large' ? 30 + 70 * uniform : 70 * uniform;
      const bounds = levels.of(['all', size]).map((level) => 100 * level);
      if (i >= jobs / 2) {
        const counts = within.get(size) ?? [0, 0, 0, 0];
        within.set(
          size,
          counts.map((count, k) => count + (wait <= percentAt(bounds, [50, 80, 90, 95][k] as number) ? 1 : 0)),
        );
      }
      levels.learn(['all', size], bounds, wait);
    }
    for (const counts of within.values()) {
      [0.5, 0.8, 0.9, 0.95].forEach((level, k) => {
        expect(Math.abs((counts[k] as number) / (jobs / 4) - level)).toBeLessThan(0.02);
      });
    }
  });

  test('levels never fall, and the ends of a spread are never asked for, whatever is learned', () => {
    const waits = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.double({ min: 0, max: 120, noNaN: true })));
    fc.assert(
      fc.property(waits, (learned) => {
        const levels = new ClassLevels(0.3);
        for (const [name, wait] of learned) {
          levels.learn(
            ['all', name],
            levels.of(['all', name]).map((level) => 100 * level),
            wait,
          );
        }
        const now = levels.of(['all', 'a']);
        now.forEach((level, i) => {
          expect(level).toBeGreaterThanOrEqual(now[i - 1] ?? 0.001);
          expect(level).toBeLessThan(1);
        });
      }),
    );
  });
});

test('the classes of a job', () => {
  const job = { user: null, queue: null, processors: 8, requestedWalltimeSeconds: 3600 };
  expect(levelClassesOf(job, 7 * 3600, 60, 64)).toEqual(['all', 'size 3', 'wait 1', 'walltime 1', 'time 1']);
  expect(levelClassesOf({ ...job, requestedWalltimeSeconds: null }, 0, 0, null)).toEqual([
    'all',
    'size unknown',
    'wait 0',
    'walltime unknown',
    'time 0',
  ]);
});
