import { keepClass } from '../../domain/kept-classes.ts';
import { PackedRows } from './packed-rows.ts';

/** One example: a row of features, and the numbers beside it. */
export interface ExampleRow {
  /** Only good until more is added. */
  readonly features: Float32Array;
  readonly numbers: Float64Array;
}

/**
 * Examples in blocks of columns, the oldest first. An object and a typed array for each took several times what they
 * hold. Blocks that are full are packed.
 */
export class ExampleColumns {
  private blocks: Block[] = [];
  /** Features of the rows of the newest block, with room for more. */
  private newestRows = new Float32Array(0);
  /** Where the oldest that is kept lies in the first block. */
  private first = 0;
  private count = 0;
  /** Features of a row. */
  private width = 0;

  /** @param numbers that each example has beside its features */
  constructor(private readonly numbers: number) {}

  get length(): number {
    return this.count;
  }

  /** @param features as many as those of the others; of rows with fewer the others are unknown, not-a-number */
  push(features: Float32Array, numbers: readonly number[]): void {
    if (features.length > this.width) this.widen(features.length);
    const end = this.first + this.count;
    const row = end % BLOCK_ROWS;
    if (row === 0) this.beginBlock();
    this.newestRows.fill(Number.NaN, row * this.width, (row + 1) * this.width);
    this.newestRows.set(features, row * this.width);
    this.blocks.at(-1)?.numbers.set(numbers, row * this.numbers);
    this.count++;
  }

  /** Forgets all but the newest. */
  keepNewest(count: number): void {
    if (count >= this.count) return;
    this.first += this.count - count;
    this.count = count;
    if (count === 0) [this.blocks, this.newestRows, this.first] = [[], new Float32Array(0), 0];
    const over = Math.floor(this.first / BLOCK_ROWS);
    if (over > 0) this.blocks = this.blocks.slice(over);
    this.first -= over * BLOCK_ROWS;
  }

  /** The newest, as many as are told, the oldest of them first. */
  newest(count: number): ExampleRow[] {
    const length = Math.min(count, this.count);
    const from = this.first + this.count - length;
    return Array.from({ length }, (_, i) => this.rowAt(from + i));
  }

  private rowAt(place: number): ExampleRow {
    const { packed, numbers } = this.blocks[Math.floor(place / BLOCK_ROWS)] as Block;
    const row = place % BLOCK_ROWS;
    return {
      features: packed?.row(row, this.width) ?? this.newestRows.subarray(row * this.width, (row + 1) * this.width),
      numbers: numbers.subarray(row * this.numbers, (row + 1) * this.numbers),
    };
  }

  /** Packs the last one, which is full. */
  private beginBlock(): void {
    const last = this.blocks.at(-1);
    if (last) last.packed = new PackedRows(this.newestRows, this.width);
    else this.newestRows = new Float32Array(BLOCK_ROWS * this.width);
    this.blocks.push({ packed: null, numbers: new Float64Array(BLOCK_ROWS * this.numbers) });
  }

  private widen(width: number): void {
    const [before, rows] = [this.width, this.newestRows];
    this.width = width;
    this.newestRows = new Float32Array(BLOCK_ROWS * width).fill(Number.NaN);
    for (let row = 0; row < BLOCK_ROWS && rows.length > 0; row++)
      this.newestRows.set(rows.subarray(row * before, (row + 1) * before), row * width);
  }
}

interface Block {
  /** Null of the newest, to which rows are added. */
  packed: PackedRows | null;
  readonly numbers: Float64Array;
}

const BLOCK_ROWS = 256;

keepClass(ExampleColumns);
