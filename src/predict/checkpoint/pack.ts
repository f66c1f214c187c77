import { ARRAY_NAMES, type Checkpoint, CheckpointFault, type CheckpointHeader } from './checkpoint.ts';

/** Length of the header, of the arrays, then header and arrays. */
const LENGTHS = 1 + ARRAY_NAMES.length;
const LENGTH_BYTES = 4;

/** A checkpoint as one row of bytes, low bytes first. */
export function packCheckpoint({ header, arrays }: Checkpoint<unknown>): Uint8Array {
  const parts = [new TextEncoder().encode(JSON.stringify(header)), ...ARRAY_NAMES.map((name) => arrays[name])];
  const packed = new Uint8Array(parts.reduce((sum, { length }) => sum + length, LENGTHS * LENGTH_BYTES));
  const view = new DataView(packed.buffer);
  let at = LENGTHS * LENGTH_BYTES;
  for (const [i, part] of parts.entries()) {
    view.setUint32(i * LENGTH_BYTES, part.length, true);
    packed.set(part, at);
    at += part.length;
  }
  return packed;
}

/**
 * The checkpoint that was packed; its arrays are views of the bytes.
 * @throws CheckpointFault when bytes are missing, too many, or no header
 */
export function unpackCheckpoint<About>({ buffer, byteOffset, byteLength }: Uint8Array): Checkpoint<About> {
  // Parts of Node.js' own kind of array are not copied by `slice`.
  const packed = new Uint8Array(buffer, byteOffset, byteLength);
  const view = new DataView(buffer, byteOffset, byteLength);
  if (packed.length < LENGTHS * LENGTH_BYTES) throw new CheckpointFault('it is torn');
  const parts: Uint8Array[] = [];
  let at = LENGTHS * LENGTH_BYTES;
  for (let i = 0; i < LENGTHS; i++) {
    const length = view.getUint32(i * LENGTH_BYTES, true);
    parts.push(packed.subarray(at, at + length));
    at += length;
  }
  if (at !== packed.length) throw new CheckpointFault(`it is torn: ${packed.length} bytes where there were ${at}`);
  const [header, words, tags, integers, numbers, bytes] = parts as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    ...Uint8Array[],
  ];
  const arrays = { words, tags, integers, numbers, bytes } as Checkpoint<About>['arrays'];
  return { header: headerOf<About>(header), arrays };
}

function headerOf<About>(bytes: Uint8Array): CheckpointHeader<About> {
  try {
    const header: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (isHeader<About>(header)) return header;
  } catch {
    // What is no JSON is no header either.
  }
  throw new CheckpointFault('its header is torn');
}

function isHeader<About>(header: unknown): header is CheckpointHeader<About> {
  return typeof header === 'object' && header !== null && 'format' in header && 'about' in header;
}
