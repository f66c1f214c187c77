import { deserialize, serialize } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { MOST_RESULT_BYTES, PartFault, type PartResult } from './part-jobs.ts';

/**
 * A result as text, and back: as a thread would pass it on, infinite numbers and what is not told included, which JSON
 * would lose.
 * @throws PartFault for one that is too large
 */
export function resultText(result: PartResult): string {
  const bytes = serialize(result);
  if (bytes.length > MOST_RESULT_BYTES)
    throw new PartFault('CALLER', `its rows and figures are ${bytes.length} bytes; ${MOST_RESULT_BYTES} are the most`);
  return deflateRawSync(bytes).toString('base64');
}

/** @throws PartFault for what is no result */
export function parseResult(text: unknown): PartResult {
  try {
    const packed = Buffer.from(String(text), 'base64');
    const result = deserialize(inflateRawSync(packed, { maxOutputLength: MOST_RESULT_BYTES })) as PartResult;
    if (Array.isArray(result.rows) && Array.isArray(result.figures)) return result;
  } catch (error) {
    throw new PartFault('FAULT', `what a worker gave back is no result: ${(error as Error).message}`);
  }
  throw new PartFault('FAULT', 'what a worker gave back is no result');
}
