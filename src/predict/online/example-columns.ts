import { keepClass } from '../../domain/kept-classes.ts';

/** One example: a row of features, and the numbers beside it. */
export interface ExampleRow {
  /** Only good until more is added. */
  readonly features: Float32Array;
  readonly numbers: Float64Array;
}

/**
 * Examples in blocks of columns, the oldest first. An object and a typed array for each took several times what they
 * hold.
 */
export class ExampleColumns {
  private blocks: Block[] = [];
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
    const block = this.blocks[Math.floor(end / BLOCK_ROWS)] ?? this.addBlock();
    const row = end % BLOCK_ROWS;
    block.features.fill(Number.NaN, row * this.width, (row + 1) * this.width);
    block.features.set(features, row * this.width);
    block.numbers.set(numbers, row * this.numbers);
    this.count++;
  }

  /** Forgets all but the newest. */
  keepNewest(count: number): void {
    if (count >= this.count) return;
    this.first += this.count - count;
    this.count = count;
    const over = Math.floor(this.first / BLOCK_ROWS);
    this.blocks = this.blocks.slice(over);
    this.first -= over * BLOCK_ROWS;
  }

  /** The newest, as many as are told, the oldest of them first. */
  newest(count: number): ExampleRow[] {
    const length = Math.min(count, this.count);
    const from = this.first + this.count - length;
    return Array.from({ length }, (_, i) => this.rowAt(from + i));
  }

  private rowAt(place: number): ExampleRow {
    const { features, numbers } = this.blocks[Math.floor(place / BLOCK_ROWS)] as Block;
    const row = place % BLOCK_ROWS;
    return {
      features: features.subarray(row * this.width, (row + 1) * this.width),
      numbers: numbers.subarray(row * this.numbers, (row + 1) * this.numbers),
    };
  }

  private addBlock(): Block {
    const block = {
      features: new Float32Array(BLOCK_ROWS * this.width),
      numbers: new Float64Array(BLOCK_ROWS * this.numbers),
    };
    this.blocks.push(block);
    return block;
  }

  private widen(width: number): void {
    const before = this.width;
    this.width = width;
    this.blocks = this.blocks.map(({ features, numbers }) => {
      const wider = new Float32Array(BLOCK_ROWS * width).fill(Number.NaN);
      for (let row = 0; row < BLOCK_ROWS; row++)
        wider.set(features.subarray(row * before, (row + 1) * before), row * width);
      return { features: wider, numbers };
    });
  }
}

interface Block {
  readonly features: Float32Array;
  readonly numbers: Float64Array;
}

const BLOCK_ROWS = 256;

keepClass(ExampleColumns);
