import { ALPHABET } from './characters.ts';
import { embedCharacters } from './word2vec.ts';

/** What becomes of a character before the network sees it, as in the paper (section 2.1). */
export const TRANSFORMS = ['word2vec', 'one-hot', 'simple', 'binary'] as const;
export type Transform = (typeof TRANSFORMS)[number];

const CHANNELS: Readonly<Record<Transform, number>> = { word2vec: 4, 'one-hot': ALPHABET, simple: 1, binary: 1 };

/** How many numbers stand for a character. */
export function channelsOf(transform: Transform): number {
  return CHANNELS[transform];
}

/**
 * The numbers that stand for each character, a row for each of 128.
 * @param texts what word2vec learns from; the others need none
 */
export function transformTable(transform: Transform, texts: readonly Uint8Array[], seed: number): Float32Array {
  if (transform === 'word2vec') return embedCharacters(texts, CHANNELS.word2vec, seed);
  if (transform === 'simple') return Float32Array.from({ length: ALPHABET }, (_, code) => code / ALPHABET);
  if (transform === 'binary') return Float32Array.from({ length: ALPHABET }, (_, code) => (isSpace(code) ? 0 : 1));
  return Float32Array.from({ length: ALPHABET ** 2 }, (_, i) => (i % (ALPHABET + 1) === 0 ? 1 : 0));
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9;
}
