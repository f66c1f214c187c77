/** Numbers of one kind that become more. */
export class GrowingArray<Numbers extends Uint8Array | Int32Array | Float64Array> {
  private numbers: Numbers;
  private count = 0;

  constructor(private readonly make: (length: number) => Numbers) {
    this.numbers = make(4096);
  }

  get length(): number {
    return this.count;
  }

  push(value: number): void {
    if (this.count === this.numbers.length) this.makeRoom(1);
    this.numbers[this.count++] = value;
  }

  pushAll(values: ArrayLike<number>): void {
    this.makeRoom(values.length);
    this.numbers.set(values, this.count);
    this.count += values.length;
  }

  /** All of them; the memory is their own. */
  all(): Numbers {
    return this.numbers.slice(0, this.count) as Numbers;
  }

  private makeRoom(more: number): void {
    if (this.count + more <= this.numbers.length) return;
    const larger = this.make(Math.max(2 * this.numbers.length, this.count + more));
    larger.set(this.numbers.subarray(0, this.count));
    this.numbers = larger;
  }
}
