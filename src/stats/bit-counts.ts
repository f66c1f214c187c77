/**
 * Sets of rows as bits, and in how many of some sets each row is. Bits are added in slices: a word holds the same
 * binary digit of the counts of 32 rows, so one addition of words is an addition for 32 rows.
 * Source: Warren, Hacker's Delight, second edition, section 5-1 (Harley and Seal's tree of full adders), counting by
 * position as in Clausecker, Lemire and Schintke, Faster positional-population counts, 2024.
 */

/** Words of a set of so many rows. */
export function wordsOf(rows: number): number {
  return Math.ceil(rows / ROWS_A_WORD);
}

/**
 * Puts a row into a set that begins at a word. Four rows that follow each other are a byte apart, so that their counts
 * come out of the slices side by side.
 */
export function addRow(sets: Int32Array, begin: number, row: number): void {
  const within = row % ROWS_A_WORD;
  const bit = (within >> 2) | ((within & 3) << 3);
  const word = begin + Math.floor(row / ROWS_A_WORD);
  sets[word] = (sets[word] as number) | (1 << bit);
}

/** Counts of rows; one for whoever counts, as nobody needs two at a time. */
export class BitCounts {
  private slices = new Int32Array(0);
  private counts = new Uint16Array(0);

  /**
   * In how many intersections each row is, of a set of the first list with that of its place in the second. O(places x
   * rows / 32).
   * @param sets set after set
   * @param first words at which sets begin
   * @param second as many
   * @param empty where a set without rows begins
   * @returns good until it counts again
   */
  of(sets: Int32Array, first: Uint32Array, second: Uint32Array, empty: number, rows: number): Uint16Array {
    const words = wordsOf(rows);
    if (this.counts.length < words * ROWS_A_WORD) {
      this.slices = new Int32Array(words * SLICES);
      this.counts = new Uint16Array(words * ROWS_A_WORD);
    }
    this.counts.fill(0);
    for (let from = 0; from < first.length; from += MOST_PLACES) {
      this.slices.fill(0);
      const to = Math.min(first.length, from + MOST_PLACES);
      const at = (places: Uint32Array, place: number) => (place < to ? (places[place] as number) : empty);
      for (let place = from; place < to; place += PLACES_AT_ONCE) {
        const sixteen = Array.from({ length: PLACES_AT_ONCE }, (_, i) => [at(first, place + i), at(second, place + i)]);
        addEight(this.slices, words, sets, sixteen.flat());
      }
      addSlices(this.counts, this.slices, words);
    }
    return this.counts.subarray(0, rows);
  }
}

/** Adds eight intersections: seven full adders, and what is carried over on to the higher digits. */
function addEight(slices: Int32Array, words: number, sets: Int32Array, begins: readonly number[]): void {
  const [a0, b0, a1, b1, a2, b2, a3, b3, a4, b4, a5, b5, a6, b6, a7, b7] = begins as Sixteen;
  for (let w = 0; w < words; w++) {
    let ones = slices[w] as number;
    let twos = slices[words + w] as number;
    let fours = slices[2 * words + w] as number;
    let next = (sets[a0 + w] as number) & (sets[b0 + w] as number);
    let other = (sets[a1 + w] as number) & (sets[b1 + w] as number);
    let sum = ones ^ next;
    const carried0 = (ones & next) | (sum & other);
    ones = sum ^ other;
    next = (sets[a2 + w] as number) & (sets[b2 + w] as number);
    other = (sets[a3 + w] as number) & (sets[b3 + w] as number);
    sum = ones ^ next;
    const carried1 = (ones & next) | (sum & other);
    ones = sum ^ other;
    sum = twos ^ carried0;
    const carried2 = (twos & carried0) | (sum & carried1);
    twos = sum ^ carried1;
    next = (sets[a4 + w] as number) & (sets[b4 + w] as number);
    other = (sets[a5 + w] as number) & (sets[b5 + w] as number);
    sum = ones ^ next;
    const carried3 = (ones & next) | (sum & other);
    ones = sum ^ other;
    next = (sets[a6 + w] as number) & (sets[b6 + w] as number);
    other = (sets[a7 + w] as number) & (sets[b7 + w] as number);
    sum = ones ^ next;
    const carried4 = (ones & next) | (sum & other);
    slices[w] = sum ^ other;
    sum = twos ^ carried3;
    const carried5 = (twos & carried3) | (sum & carried4);
    slices[words + w] = sum ^ carried4;
    sum = fours ^ carried2;
    let carried = (fours & carried2) | (sum & carried5);
    fours = sum ^ carried5;
    slices[2 * words + w] = fours;
    for (let at = 3 * words + w; carried !== 0; at += words) {
      const digit = slices[at] as number;
      slices[at] = digit ^ carried;
      carried &= digit;
    }
  }
}

/** Adds what the slices say to the counts of their rows, four at a time. */
function addSlices(counts: Uint16Array, slices: Int32Array, words: number): void {
  const at = (slice: number, w: number) => slices[slice * words + w] as number;
  for (let w = 0; w < words; w++) {
    const [s0, s1, s2, s3] = [at(0, w), at(1, w), at(2, w), at(3, w)];
    const [s4, s5, s6, s7] = [at(4, w), at(5, w), at(6, w), at(7, w)];
    for (let bit = 0; bit < 8; bit++) {
      const low = digit(s0, bit) | (digit(s1, bit) << 1) | (digit(s2, bit) << 2) | (digit(s3, bit) << 3);
      const high = digit(s4, bit) | (digit(s5, bit) << 1) | (digit(s6, bit) << 2) | (digit(s7, bit) << 3);
      const four = low | (high << 4);
      const row = ROWS_A_WORD * w + 4 * bit;
      counts[row] = (counts[row] as number) + (four & 255);
      counts[row + 1] = (counts[row + 1] as number) + ((four >>> 8) & 255);
      counts[row + 2] = (counts[row + 2] as number) + ((four >>> 16) & 255);
      counts[row + 3] = (counts[row + 3] as number) + (four >>> 24);
    }
  }
}

/** One digit of the counts of four rows, each in its byte. */
function digit(slice: number, bit: number): number {
  return (slice >>> bit) & LOWEST_OF_BYTES;
}

type Sixteen = [...Eight, ...Eight];
type Eight = [number, number, number, number, number, number, number, number];

const ROWS_A_WORD = 32;
/** Binary digits of a count: four counts fill a word. */
const SLICES = 8;
const PLACES_AT_ONCE = 8;
/** Whose counts fit into the slices. */
const MOST_PLACES = 248;
const LOWEST_OF_BYTES = 0x01_01_01_01;
