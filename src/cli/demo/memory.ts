import { z } from 'zod';
import { readJsonFile, writeJsonFile } from '../../main/files.ts';

/**
 * What the story has decided so far. A story that is told again after an interruption decides the same and sends the
 * same input under the same idempotency keys, so it finds what it had asked for instead of asking twice.
 */
export class Memory {
  private readonly decisions: Record<string, unknown>;

  constructor(private readonly file: string) {
    this.decisions = readJsonFile(file, z.record(z.string(), z.unknown())) ?? {};
  }

  /** The decision of that name: the remembered one, else a new one that is on file before it is acted upon. */
  async decide<T>(name: string, decide: () => Promise<T> | T): Promise<T> {
    if (!(name in this.decisions)) {
      this.decisions[name] = await decide();
      writeJsonFile(this.file, this.decisions);
    }
    return this.decisions[name] as T;
  }
}
