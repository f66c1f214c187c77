import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { SettingsByPredictor } from '../predict/settings.ts';

/** The files of a model that says where texts lie among others by what they mean. */
export interface EmbeddingModel {
  /** An ONNX network from token ids to a vector for the text, or for each token. */
  readonly modelFile: string;
  /** Its `tokenizer.json`, or its `vocab.txt`. */
  readonly tokenizerFile: string;
}

/** Predictors that read texts. */
const READERS = ['runtime/gridcast', 'io/gridcast'] as const;

/** Settings of predictors with what tells those that read texts which model embeds them. */
export function withEmbeddingNumber(settings: SettingsByPredictor, number: number): SettingsByPredictor {
  const reading = READERS.map((name) => [name, { ...settings[name], embedding: number }]);
  return { ...settings, ...Object.fromEntries(reading) };
}

/** Numbers of an embedding: fewer than models give, see `projection`. */
export const EMBEDDING_DIMENSIONS = 32;
const MOST_FILE_BYTES = 2 ** 30;

/**
 * A number from 1 on that is another one after nearly every change of its files, for what was learned by another model
 * is of no use.
 * @throws RangeError naming the file that cannot be read, or is too large
 */
export function numberOfModel({ modelFile, tokenizerFile }: EmbeddingModel): number {
  const hash = createHash('sha256').update(readBounded(modelFile)).update(readBounded(tokenizerFile));
  return 1 + (hash.digest().readUInt32BE(0) >>> 1);
}

/** @throws RangeError that says which file it is, and what is wrong with it */
export function readBounded(file: string): Buffer {
  try {
    const { size } = statSync(file);
    if (size === 0 || size > MOST_FILE_BYTES) {
      throw new RangeError(`it has ${size} bytes; from 1 to ${MOST_FILE_BYTES} are read`);
    }
    return readFileSync(file);
  } catch (error) {
    throw new RangeError(`${file} cannot be used: ${(error as Error).message}`);
  }
}
