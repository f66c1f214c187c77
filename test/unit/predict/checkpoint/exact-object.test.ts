import { expect, test } from 'vitest';
import { exactObject } from '../../../../src/predict/checkpoint/exact-object.ts';
import { liveBytes } from '../../../live-bytes.ts';

const COUNT = 20_000;

/** Bytes of one of many such objects, each with a number in every field: the median of nine measurements. */
function bytesOfEach(prototype: object, fields: readonly string[]): number {
  const kept: object[][] = [];
  const grown = Array.from({ length: 9 }, () => {
    const before = liveBytes();
    kept.push(Array.from({ length: COUNT }, () => filled(exactObject(prototype, fields), fields)));
    return (liveBytes() - before) / COUNT;
  }).sort((one, other) => one - other);
  return grown[4] as number;
}

function filled(one: object, fields: readonly string[]): object {
  for (const field of fields) (one as Record<string, number>)[field] = 1;
  return one;
}

test('objects have room for their fields, whatever the first ones of that size were made with', () => {
  const [plain, after] = [{}, {}];
  exactObject(after, ['0', '1', '2']);
  const fields = ['seconds', 'processors', 'at'];
  expect(bytesOfEach(after, fields) / bytesOfEach(plain, fields)).toBeLessThan(1.1);
});
