import type { Program } from '../../domain/program.ts';
import { textHash } from './text-hash.ts';

/** What a program's text says, in short. */
export interface ReadText {
  /** Characters of name, script and arguments. */
  readonly length: number;
  readonly lines: number;
  /** Of everything; of everything with digits stripped; of its commands, options and the words before numbers. */
  readonly whole: number;
  readonly shape: number;
  readonly skeleton: number;
  /** The same without words that have digits, which name a run or its input more often than a kind of work. */
  readonly outline: number;
  readonly name: string;
  /** The name with digits stripped. */
  readonly stem: string;
  readonly folder: string;
  /** The first numbers that follow a word, by that word. */
  readonly numbers: ReadonlyMap<string, number>;
  /**
   * Of the hashes of its shingles the least of each of some orders: the share of equal ones tells how alike two are.
   */
  readonly sketch: Uint32Array;
  /** How many of its words fall into each of some bins by their hash, at most 255. */
  readonly words: Uint8Array;
}

/**
 * Reads a program's text: whatever it is, binary or one line of a million characters, in time and memory that are
 * bounded. Of long texts the beginning and the end are read.
 */
export function readText(program: Program): ReadText {
  const name = (program.name ?? '').slice(0, LONGEST_NAME);
  const said = program.arguments.slice(0, MOST_ARGUMENTS).map((one) => one.slice(0, LONGEST_NAME));
  const script = bothEnds(program.script ?? '');
  const text = script === '' && said.length === 0 ? name : `${script}\n${said.join(' ')}`;
  const lines = text.split('\n', MOST_LINES).map((line) => line.slice(0, LONGEST_LINE));
  return {
    length: (program.script ?? name).length,
    lines: lines.length,
    whole: textHash(text),
    shape: textHash(withoutDigits(text)),
    ...wordsOf(lines),
    name,
    stem: withoutDigits(name),
    folder: (program.workFolder ?? '').slice(0, LONGEST_NAME),
    sketch: sketchOf(text),
  };
}

/**
 * Share of shingles that two texts have in common, as their sketches tell.
 * @param begin where that of the first begins, in a row of sketches
 */
export function alikeness(first: Uint32Array, second: Uint32Array, begin = 0): number {
  let same = 0;
  for (let i = 0; i < SKETCH; i++) if (first[begin + i] === second[i]) same++;
  return same / SKETCH;
}

export function withoutDigits(text: string): string {
  return text.replace(/\d+/g, '#');
}

function wordsOf(lines: readonly string[]): Pick<ReadText, 'skeleton' | 'outline' | 'numbers' | 'words'> {
  const numbers = new Map<string, number>();
  const words = new Uint8Array(WORD_BINS);
  let [skeleton, outline] = [0, 0];
  for (const line of lines) {
    const [first = ''] = /\S+/.exec(line) ?? [];
    skeleton = textHash(withoutDigits(first), skeleton);
    outline = textHash(withoutDigits(first), outline);
    let before = first;
    for (const [token] of line.matchAll(TOKEN)) {
      if (!/^\d/.test(token)) {
        before = token;
        const bin = textHash(token) % WORD_BINS;
        words[bin] = Math.min(255, (words[bin] as number) + 1);
        if (!token.startsWith('-')) continue;
        skeleton = textHash(token, skeleton);
        if (!/\d/.test(token)) outline = textHash(token, outline);
        continue;
      }
      const value = Number(token);
      if (numbers.size >= MOST_NUMBERS || !Number.isFinite(value)) continue;
      skeleton = textHash(before, skeleton);
      if (!/\d/.test(before)) outline = textHash(before, outline);
      numbers.set(freeKey(numbers, before), value);
    }
  }
  return { skeleton, outline, numbers, words };
}

/** The word, with a number of its own where it has been used. */
function freeKey(numbers: ReadonlyMap<string, number>, word: string): string {
  const key = word.slice(0, LONGEST_KEY);
  for (let use = 0; ; use++) {
    const own = use === 0 ? key : `${key}.${use}`;
    if (!numbers.has(own)) return own;
  }
}

function sketchOf(text: string): Uint32Array {
  const sketch = new Uint32Array(SKETCH).fill(0xffffffff);
  const step = Math.max(1, Math.floor(text.length / MOST_SHINGLES));
  for (let at = 0; at + SHINGLE <= Math.max(SHINGLE, text.length); at += step) {
    let hash = textHash(text.slice(at, at + SHINGLE));
    for (let order = 0; order < SKETCH; order++) {
      hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d + 2 * order) >>> 0;
      if (hash < (sketch[order] as number)) sketch[order] = hash;
    }
  }
  return sketch;
}

function bothEnds(text: string): string {
  return text.length <= LONGEST_TEXT
    ? text
    : `${text.slice(0, (3 * LONGEST_TEXT) / 4)}\n${text.slice(-LONGEST_TEXT / 4)}`;
}

/** Words, options, and numbers with decimals and exponents; digits at the end of a word belong to it. */
const TOKEN = /-{0,2}[A-Za-z_][\w-]{0,63}|\d{1,18}(?:\.\d{1,18})?(?:[eE][+-]?\d{1,2}(?!\d))?/g;
const LONGEST_TEXT = 32_768;
const LONGEST_NAME = 1024;
const LONGEST_LINE = 1024;
const LONGEST_KEY = 32;
const MOST_LINES = 1000;
const MOST_ARGUMENTS = 64;
const MOST_NUMBERS = 24;
const MOST_SHINGLES = 4096;
const SHINGLE = 5;
/** Numbers of a sketch. */
export const SKETCH = 16;
/** Bins of words that are counted. */
const WORD_BINS = 8;
