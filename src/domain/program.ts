/** What can be known of a job's text: all of it for our own jobs, what accounting tells for those of others. */
export interface Program {
  readonly name: string | null;
  /** The whole script; null where it is not known. It is never logged. */
  readonly script: string | null;
  readonly arguments: readonly string[];
  /** Null where it is not told. */
  readonly workFolder: string | null;
}
