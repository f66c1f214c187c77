import type { ExperimentRow } from '../experiment.ts';
import { rounded } from '../report/rounded.ts';
import { type BlockErrors, pairedErrorRatio } from './paired-errors.ts';

/** How a part hands the errors of its blocks to the end, where the rows of all parts meet. */
const BLOCKS = 'blocks';

/** The errors by block as a metric; taken away again by `comparedWithFirst`. */
export function writtenBlocks(blocks: BlockErrors, seed: number): { readonly [BLOCKS]: string } {
  return { [BLOCKS]: JSON.stringify({ ...blocks, seed }) };
}

/** The rows with the AAE of the first over that of each other one, by a paired block bootstrap. */
export function comparedWithFirst(rows: readonly ExperimentRow[]): ExperimentRow[] {
  const first = blocksOf(rows[0]);
  return rows.map((row, index) => {
    const { [BLOCKS]: _, ...shown } = row;
    const own = index === 0 ? null : blocksOf(row);
    const compared = first && own && pairedErrorRatio(first, own, first.seed);
    if (!compared) return shown as ExperimentRow;
    return {
      ...(shown as ExperimentRow),
      firstOverThis: rounded(compared.ratio, 3) as number,
      firstOverThisLow: rounded(compared.low, 3) as number,
      firstOverThisHigh: rounded(compared.high, 3) as number,
    };
  });
}

function blocksOf(row: ExperimentRow | undefined): (BlockErrors & { readonly seed: number }) | null {
  const text = row?.[BLOCKS];
  return typeof text === 'string' ? JSON.parse(text) : null;
}
