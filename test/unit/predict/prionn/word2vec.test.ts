import { expect, test } from 'vitest';
import { charactersOf } from '../../../../src/predict/prionn/characters.ts';
import { channelsOf, TRANSFORMS, transformTable } from '../../../../src/predict/prionn/transforms.ts';
import { embedCharacters } from '../../../../src/predict/prionn/word2vec.ts';

/** Digits stand among letters of one kind, punctuation among those of another. */
const texts = Array.from({ length: 300 }, (_, i) =>
  charactersOf(`abc${i % 10}abc${(i * 7) % 10}abc\nXYZ${'.,;:!'[i % 5]}XYZ${'.,;:!'[(i * 3) % 5]}XYZ`, '2d', 16),
);

function likeness(table: Float32Array, one: string, other: string): number {
  const [a, b] = [one, other].map((character) =>
    table.subarray(4 * character.charCodeAt(0), 4 * character.charCodeAt(0) + 4),
  );
  const product = (x: Float32Array | undefined, y = x) =>
    x?.reduce((sum, value, i) => sum + value * (y?.[i] ?? 0), 0) ?? 0;
  return product(a, b) / Math.sqrt(product(a) * product(b));
}

test('characters among the same neighbours are near to each other', () => {
  const table = embedCharacters(texts, 4, 1);
  expect(table).toHaveLength(128 * 4);
  for (const [one, other] of ['37', '19', '.;'])
    expect(likeness(table, one as string, other as string)).toBeGreaterThan(0.8);
  for (const [one, other] of ['3.', '9;', '1!'])
    expect(likeness(table, one as string, other as string)).toBeLessThan(0.5);
});

test('the same texts and seed give the same vectors, another seed others', () => {
  expect(embedCharacters(texts, 4, 1)).toEqual(embedCharacters(texts, 4, 1));
  expect(embedCharacters(texts, 4, 2)).not.toEqual(embedCharacters(texts, 4, 1));
});

test('of no text at all there are vectors, too', () => {
  expect(embedCharacters([], 4, 1).every(Number.isFinite)).toBe(true);
});

test.each(
  TRANSFORMS,
)('%s has as many numbers for a character as it says, and tells characters from spaces', (transform) => {
  const table = transformTable(transform, texts, 1);
  const channels = channelsOf(transform);
  const numbersOf = (character: string) => [
    ...table.subarray(character.charCodeAt(0) * channels, (character.charCodeAt(0) + 1) * channels),
  ];
  expect(table).toHaveLength(128 * channels);
  expect(numbersOf('a')).not.toEqual(numbersOf(' '));
  if (transform === 'binary') expect(numbersOf('a')).toEqual(numbersOf('b'));
  else expect(numbersOf('a')).not.toEqual(numbersOf('b'));
});
