import { expect, test } from 'vitest';
import { readCheckpoint, writeCheckpoint } from '../../../src/predict/checkpoint/checkpoint.ts';
import { AnswersByLeaves } from '../../../src/predict/online/answers-by-leaves.ts';

const LEAVES = Int32Array.of(3, 40, 12);

test('says again what was said of a job in the same leaves with the same beside', () => {
  const answers = new AnswersByLeaves<number>();
  let asked = 0;
  const ask = (leaves: Int32Array, beside = '') => answers.of(leaves, beside, () => ++asked);
  expect([ask(LEAVES), ask(LEAVES.slice()), ask(Int32Array.of(3, 40, 13)), ask(LEAVES, 'all')]).toEqual([1, 1, 2, 3]);
  expect([ask(LEAVES), ask(LEAVES, 'all')]).toEqual([1, 3]);
});

test('forgets when the model learns', () => {
  const answers = new AnswersByLeaves<string>();
  answers.of(LEAVES, '', () => 'before');
  answers.forget();
  expect(answers.of(LEAVES, '', () => 'after')).toBe('after');
});

test('keeps a bounded number', () => {
  const answers = new AnswersByLeaves<number>();
  for (let i = 0; i < 10_000; i++) answers.of(Int32Array.of(i), '', () => i);
  const { answers: kept } = answers as unknown as { answers: ReadonlyMap<string, number> };
  expect(kept.size).toBeLessThanOrEqual(250);
  expect(answers.of(Int32Array.of(9999), '', () => -1)).toBe(9999);
});

test('is empty again when it is restored', () => {
  const written = { answers: new AnswersByLeaves<number>(), learned: 7 };
  written.answers.of(LEAVES, '', () => 1);
  const fresh: Partial<typeof written> = {};
  const restored = readCheckpoint(writeCheckpoint(written, {}), fresh) as typeof written;
  expect(restored.learned).toBe(7);
  expect(restored.answers.of(LEAVES, '', () => 2)).toBe(2);
});
