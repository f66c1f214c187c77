import type { ExperimentRow } from '../experiment.ts';
import { rounded } from '../report/rounded.ts';
import { pairedErrorRatio } from './paired-errors.ts';

/** How a part hands the errors of its jobs to the end, where the rows of all parts meet. */
const ERRORS = 'errors';

/** The errors of all jobs as a metric; taken away again by `comparedWithFirst`. */
export function writtenErrors(absolute: Float64Array, seed: number): { readonly [ERRORS]: string } {
  const base64 = Buffer.from(absolute.buffer, absolute.byteOffset, absolute.byteLength).toString('base64');
  return { [ERRORS]: `${seed} ${base64}` };
}

/**
 * The rows with the AAE of the first over that of each other one, by a paired block bootstrap, and on how many jobs
 * that rests: those that both answered.
 */
export function comparedWithFirst(rows: readonly ExperimentRow[]): ExperimentRow[] {
  const first = errorsOf(rows[0]);
  return rows.map((row, index) => {
    const { [ERRORS]: _, ...shown } = row;
    const own = index === 0 ? null : errorsOf(row);
    const compared = first && own && pairedErrorRatio(first.absolute, own.absolute, first.seed);
    if (!compared) return shown as ExperimentRow;
    return {
      ...(shown as ExperimentRow),
      firstOverThis: rounded(compared.ratio, 3) as number,
      firstOverThisLow: rounded(compared.low, 3) as number,
      firstOverThisHigh: rounded(compared.high, 3) as number,
      firstOverThisJobs: compared.jobs,
    };
  });
}

function errorsOf(row: ExperimentRow | undefined): { readonly seed: number; readonly absolute: Float64Array } | null {
  const text = row?.[ERRORS];
  if (typeof text !== 'string') return null;
  const at = text.indexOf(' ');
  // Copied, as a piece of Node.js' pool need not lie where numbers may.
  const bytes = Uint8Array.from(Buffer.from(text.slice(at + 1), 'base64'));
  return { seed: Number(text.slice(0, at)), absolute: new Float64Array(bytes.buffer) };
}
