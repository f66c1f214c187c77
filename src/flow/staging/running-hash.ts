import { createSHA256, type IHasher } from 'hash-wasm';

/** The SHA-256 of a file that is moved in pieces, by whichever worker has the next. */
export class RunningHash {
  private constructor(private readonly hasher: IHasher) {}

  /** @param state of an earlier one; null to begin */
  static async open(state: string | null): Promise<RunningHash> {
    const hasher = await createSHA256();
    hasher.init();
    if (state !== null) hasher.load(Buffer.from(state, 'base64'));
    return new RunningHash(hasher);
  }

  add(bytes: Uint8Array): void {
    this.hasher.update(bytes);
  }

  /** By which another one goes on. */
  state(): string {
    return Buffer.from(this.hasher.save()).toString('base64');
  }

  /** Of all that was added so far, in hexadecimal digits. */
  sha256(): string {
    const state = this.hasher.save();
    const sum = this.hasher.digest('hex');
    this.hasher.load(state);
    return sum;
  }
}
