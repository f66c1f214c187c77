import { about, CliFailure, EXIT } from '../failure.ts';
import { parseNumber, parseWhole } from './number.ts';

/** Sizes as the API takes them. */
export interface Sizes {
  readonly list: readonly number[];
  readonly from: number | null;
  readonly to: number | null;
  readonly steps: 'POWERS_OF_TWO' | 'ALL';
  readonly fromHistory: boolean;
}

/** A model of the speedup as the API takes it. */
export type Speedup =
  | { readonly model: 'AMDAHL'; readonly serialShare: number }
  | { readonly model: 'DOWNEY'; readonly averageParallelism: number; readonly sigma: number };

/** Options that leave a plan a choice beside that of the site. */
export interface ChoiceOptions {
  readonly sizes?: Sizes;
  readonly speedup?: Speedup;
}

/** The part of an input that jobs and plans have in common beside their size. */
export function choicesInput({ sizes, speedup }: ChoiceOptions) {
  return { ...(sizes && { sizes }), ...(speedup && { speedup }) };
}

/**
 * Reads sizes between commas: numbers, `4..64` for the powers of two in a range, `4..8:all` for all of it, `history`
 * for those of one's own jobs. @throws CliFailure naming what is wrong
 */
export function parseSizes(text: string): Sizes {
  const parts = text.split(',').map((part) => part.trim());
  const ranges = parts.filter((part) => part.includes('..'));
  if (ranges.length > 1)
    throw new CliFailure(`"${text}" has more than one range`, EXIT.usage, 'write one range, or a list');
  const [, from, to, all] = /^(\d+)\.\.(\d+)(:all)?$/i.exec(ranges[0] ?? '') ?? [];
  if (ranges.length === 1 && from === undefined) {
    throw new CliFailure(`"${ranges[0]}" is no range of sizes`, EXIT.usage, 'write 4..64, or 4..8:all');
  }
  const isHistory = (part: string) => part.toLowerCase() === 'history';
  return {
    list: parts.filter((part) => !part.includes('..') && !isHistory(part)).map((part) => parseWhole(part)),
    from: from === undefined ? null : parseWhole(from),
    to: to === undefined ? null : parseWhole(to),
    steps: all === undefined ? 'POWERS_OF_TWO' : 'ALL',
    fromHistory: parts.some(isHistory),
  };
}

/** Reads `amdahl:SERIAL` or `downey:A,SIGMA`. The service judges their ranges. @throws CliFailure for anything else */
export function parseSpeedup(text: string): Speedup {
  const [, model = '', numbers = ''] = /^(amdahl|downey):(.+)$/i.exec(text.trim()) ?? [];
  const given = numbers.split(',');
  const wanted = model.toLowerCase() === 'amdahl' ? 1 : 2;
  if (model === '' || given.length !== wanted) {
    const how = 'write amdahl:0.05 (serial share), or downey:64,0.5 (average parallelism, sigma)';
    throw new CliFailure(`"${text}" is no speedup model`, EXIT.usage, how);
  }
  const [first = 0, second = 0] = given.map((number) => about(`"${text}"`, () => parseNumber(number)));
  return wanted === 1
    ? { model: 'AMDAHL', serialShare: first }
    : { model: 'DOWNEY', averageParallelism: first, sigma: second };
}
