import { createHash } from 'node:crypto';
import { finish, type Steps } from '../../domain/steps.ts';
import type { Graph, GraphWords } from './graph.ts';
import { readGraph } from './graph-reader.ts';
import { writeGraph } from './graph-writer.ts';

/** What a checkpoint says of itself. */
export interface CheckpointHeader<About> {
  readonly format: typeof CHECKPOINT_FORMAT;
  /** Whose state it is, and of what it was learned. */
  readonly about: About;
  /** SHA-256 over what it is about and its arrays, in hexadecimal digits. */
  readonly checksum: string;
}

/** What was learned, with what it was learned by. Restored it forecasts as the one that was written, bit for bit. */
export interface Checkpoint<About> {
  readonly header: CheckpointHeader<About>;
  readonly arrays: CheckpointArrays;
}

/** The arrays as bytes, in the order in which they are stored. */
export type CheckpointArrays = Readonly<Record<(typeof ARRAY_NAMES)[number], Uint8Array>>;

export const ARRAY_NAMES = ['words', 'tags', 'integers', 'numbers', 'bytes'] as const;

/** Another one whenever checkpoints are written in another way. */
export const CHECKPOINT_FORMAT = 2;

/** A checkpoint cannot be used; what it was learned from has to be lived through again. */
export class CheckpointFault extends Error {
  override readonly name = 'CheckpointFault';
}

/**
 * Writes what an object has learned.
 * @param about whose state it is; whoever restores it has to say the same of `about.models`
 * @throws TypeError when it holds what cannot be kept
 */
export function writeCheckpoint<About>(learned: object, about: About): Checkpoint<About> {
  const { words, tags, integers, numbers, bytes } = writeGraph(learned);
  const arrays: CheckpointArrays = {
    words: new TextEncoder().encode(JSON.stringify(words)),
    tags,
    integers: bytesOf(integers),
    numbers: bytesOf(numbers),
    bytes,
  };
  return { header: { format: CHECKPOINT_FORMAT, about, checksum: checksumOf(about, arrays) }, arrays };
}

/**
 * Restores it into an object that was made as the written one had been and has learned nothing.
 * @returns that object, or what stands for it where it is of no class
 * @throws CheckpointFault when the format, the sum or a class is another one; the object is of no use then
 */
export function readCheckpoint<Learned extends object>(checkpoint: Checkpoint<unknown>, fresh: Learned): Learned {
  return finish(readCheckpointInSteps(checkpoint, fresh));
}

/** The same in steps of some milliseconds, so that others are let through. */
export function* readCheckpointInSteps<Learned extends object>(
  { header, arrays }: Checkpoint<unknown>,
  fresh: Learned,
): Steps<Learned> {
  if (header.format !== CHECKPOINT_FORMAT)
    throw new CheckpointFault(`it is of format ${header.format}, and this is ${CHECKPOINT_FORMAT}`);
  if (header.checksum !== checksumOf(header.about, arrays)) throw new CheckpointFault('its checksum is another one');
  try {
    return (yield* readGraph(graphOf(arrays), fresh)) as Learned;
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError)
      throw new CheckpointFault(error.message);
    throw error;
  }
}

function graphOf({ words, tags, integers, numbers, bytes }: CheckpointArrays): Graph {
  return {
    words: JSON.parse(new TextDecoder().decode(words)) as GraphWords,
    tags,
    integers: new Int32Array(aligned(integers)),
    numbers: new Float64Array(aligned(numbers)),
    bytes,
  };
}

function checksumOf(about: unknown, arrays: CheckpointArrays): string {
  const hash = createHash('sha256').update(JSON.stringify(about));
  for (const name of ARRAY_NAMES) hash.update(`${name} ${arrays[name].length} `).update(arrays[name]);
  return hash.digest('hex');
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Memory of its own, which begins where numbers may. */
function aligned(bytes: Uint8Array): ArrayBuffer {
  return bytes.slice().buffer as ArrayBuffer;
}
