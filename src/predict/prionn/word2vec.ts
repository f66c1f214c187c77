import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { ALPHABET } from './characters.ts';

/** Neighbours looked at on either side. */
const WINDOW = 4;
const NEGATIVES = 5;
const MOST_CHARACTERS = 40_000;
const FIRST_RATE = 0.05;

/**
 * Characters as vectors, near to each other where characters stand among the same neighbours: skip-gram with negative
 * sampling (Mikolov et al. 2013, NIPS 26). Runs of a character count once, for padding would drown the text. The same
 * texts and seed give the same vectors; a character that does not occur keeps what it began with.
 * @param texts character codes below 128; at most 40,000 characters of them are read
 * @returns 128 rows of `size`, scaled to a mean square of 1
 */
export function embedCharacters(texts: readonly Uint8Array[], size: number, seed: number): Float32Array {
  const run = charactersWithoutRuns(texts);
  const random = xoroshiro128plus(seed);
  const draw = () => uniformInt(random, 0, 1_000_000) / 1_000_000;
  const near = Float64Array.from({ length: ALPHABET * size }, () => (draw() - 0.5) * 0.5);
  const far = new Float64Array(ALPHABET * size);
  const pull = new Float64Array(size);
  for (let at = 0; at < run.length; at++) {
    const rate = FIRST_RATE * Math.max(0.02, 1 - at / run.length);
    const center = (run[at] as number) * size;
    for (let other = Math.max(0, at - WINDOW); other <= Math.min(run.length - 1, at + WINDOW); other++) {
      if (other === at) continue;
      pull.fill(0);
      attract(near, far, center, (run[other] as number) * size, 1, rate, pull);
      for (let n = 0; n < NEGATIVES; n++) {
        // Neighbours of other characters: drawn as often as they occur.
        const strange = run[uniformInt(random, 0, run.length - 1)] as number;
        attract(near, far, center, strange * size, 0, rate, pull);
      }
      for (let i = 0; i < size; i++) near[center + i] = (near[center + i] as number) + (pull[i] as number);
    }
  }
  return scaled(near);
}

/** Moves the far vector towards the near one, or away, and adds what the near one is to be moved by. */
function attract(
  near: Float64Array,
  far: Float64Array,
  center: number,
  other: number,
  wanted: 0 | 1,
  rate: number,
  pull: Float64Array,
): void {
  let product = 0;
  for (let i = 0; i < pull.length; i++) product += (near[center + i] as number) * (far[other + i] as number);
  const step = rate * (wanted - 1 / (1 + Math.exp(-product)));
  for (let i = 0; i < pull.length; i++) {
    pull[i] = (pull[i] as number) + step * (far[other + i] as number);
    far[other + i] = (far[other + i] as number) + step * (near[center + i] as number);
  }
}

function charactersWithoutRuns(texts: readonly Uint8Array[]): Uint8Array {
  const kept = new Uint8Array(MOST_CHARACTERS);
  const share = Math.ceil(MOST_CHARACTERS / Math.max(1, texts.length));
  let size = 0;
  for (const text of texts) {
    const most = Math.min(MOST_CHARACTERS, size + share);
    for (let i = 0; i < text.length && size < most; i++) {
      if (i === 0 || text[i] !== text[i - 1]) kept[size++] = text[i] as number;
    }
  }
  return kept.subarray(0, size);
}

function scaled(vectors: Float64Array): Float32Array {
  const square = vectors.reduce((sum, value) => sum + value * value, 0) / vectors.length;
  return Float32Array.from(vectors, (value) => value / Math.sqrt(square));
}
