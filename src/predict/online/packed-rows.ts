import { keepClass } from '../../domain/kept-classes.ts';

/**
 * Rows of features that nothing is added to any more, column by column: of a column with few different values these are
 * kept once, and for each row which of them it has. Nothing is rounded.
 */
export class PackedRows {
  /** How many different values each column has; 0 where each row has its own. */
  private readonly differing: Uint16Array;
  /** Column after column, the values that differ, or one for each row. */
  private readonly values: Float32Array;
  /** Of each column with several different values, row after row which one it is. */
  private readonly places: Uint8Array;
  private readonly rows: number;

  /** @param features row after row, at most 256 rows, at least one */
  constructor(features: Float32Array, width: number) {
    const rows = features.length / width;
    const bits = new Uint32Array(features.buffer, features.byteOffset, features.length);
    const [values, places]: [number[], number[]] = [[], []];
    this.differing = Uint16Array.from({ length: width }, (_, column) => {
      const column32 = Uint32Array.from({ length: rows }, (_, row) => bits[row * width + column] as number);
      const known = new Map<number, number>();
      for (const one of column32) if (!known.has(one)) known.set(one, known.size);
      const isWorthIt = known.size === 1 || rows + VALUE_BYTES * known.size < VALUE_BYTES * rows;
      values.push(...(isWorthIt ? known.keys() : column32));
      if (!isWorthIt) return 0;
      if (known.size > 1) places.push(...Array.from(column32, (one) => known.get(one) as number));
      return known.size;
    });
    this.values = new Float32Array(Uint32Array.from(values).buffer);
    this.places = Uint8Array.from(places);
    this.rows = rows;
  }

  /**
   * A row as it was, in a copy of its own. O(width).
   * @param width that it is to have, as many as its features or more: the others are unknown, not-a-number
   */
  row(row: number, width: number): Float32Array {
    const { differing, places, rows, values } = this;
    const features = new Float32Array(width).fill(Number.NaN, differing.length);
    let [value, place] = [0, 0];
    for (let column = 0; column < differing.length; column++) {
      const count = differing[column] as number;
      const within = count === 0 ? row : count === 1 ? 0 : (places[place + row] as number);
      features[column] = values[value + within] as number;
      value += count === 0 ? rows : count;
      if (count > 1) place += rows;
    }
    return features;
  }
}

const VALUE_BYTES = 4;

keepClass(PackedRows);
