/** Counts what failed within a minute of wall time, for each address and for all together. */
export class Tries {
  private readonly failures: { readonly at: number; readonly address: string }[] = [];

  constructor(
    private readonly mostPerAddress: number,
    private readonly mostInAll: number,
  ) {}

  /** Whether that address has to wait before it may try again. */
  isTooMany(address: string, milliseconds: number): boolean {
    while (this.failures[0] && this.failures[0].at <= milliseconds - MINUTE) this.failures.shift();
    const own = this.failures.filter((failure) => failure.address === address).length;
    return own >= this.mostPerAddress || this.failures.length >= this.mostInAll;
  }

  note(address: string, milliseconds: number): void {
    this.failures.push({ at: milliseconds, address });
  }
}

const MINUTE = 60_000;
