/**
 * Objects that refer to each other, in a row: what a predictor has learned as it can be stored. An object that is
 * referred to often is there once. `graph-writer.ts` writes it and `graph-reader.ts` reads it.
 */
export interface Graph {
  /** What is in no array: small, and told in JSON. */
  readonly words: GraphWords;
  /** One for each value, in the order in which they are reached: what it is. */
  readonly tags: Uint8Array;
  /** Whole numbers, lengths, and numbers of objects, strings and shapes, in the order of the tags that want them. */
  readonly integers: Int32Array;
  /** All other numbers. */
  readonly numbers: Float64Array;
  /** What typed arrays are views of, one after the other, each from a multiple of 8. */
  readonly bytes: Uint8Array;
}

export interface GraphWords {
  readonly strings: readonly string[];
  readonly shapes: readonly GraphShape[];
  readonly classes: readonly GraphClass[];
}

/** The fields of objects. */
export interface GraphShape {
  /** Its place among the classes; -1 for objects without one. */
  readonly of: number;
  readonly fields: readonly string[];
}

export interface GraphClass {
  readonly name: string;
  /** Of the text of the class: it is another one after every change. */
  readonly fingerprint: number;
}

/** What a value is. */
export const TAG = {
  undefined: 0,
  null: 1,
  true: 2,
  false: 3,
  integer: 4,
  number: 5,
  string: 6,
  /** An object that has been reached before: its number. */
  known: 7,
  object: 8,
  /** An object that is kept in a way of its own: its shape, then what was saved of it. */
  saved: 9,
  array: 10,
  /** An array of whole numbers, and of numbers. */
  integers: 11,
  numbers: 12,
  map: 13,
  set: 14,
  buffer: 15,
  /** Its kind, its first byte, its length, and the buffer. */
  view: 16,
  /**
   * What is not kept because whoever makes the object anew gives it: a function, with a number of its text, or what
   * only saves time, with 0.
   */
  given: 17,
} as const;

/** The kinds of views, by their numbers. */
export const VIEWS = [
  Uint8Array,
  Int8Array,
  Uint16Array,
  Int16Array,
  Uint32Array,
  Int32Array,
  Float32Array,
  Float64Array,
] as const;

/** A number of a text that is another one after nearly every change. Source: FNV-1a, 32 bits. */
export function fingerprint(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01_00_01_93);
  return hash >>> 0;
}
