/**
 * A log that cannot be read as what it claims to be. Names the file, the line where one is at fault, and the remedy.
 */
export class WorkloadError extends Error {
  constructor(
    readonly source: string,
    /** Counted from 1; null when no line is at fault. */
    readonly line: number | null,
    what: string,
  ) {
    super(line === null ? `${source}: ${what}` : `${source}, line ${line}: ${what}`);
    this.name = 'WorkloadError';
  }
}
