/** What can be known of a job's text: all of it for our own jobs, what accounting tells for those of others. */
export interface Program {
  readonly name: string | null;
  /** The whole script; null where it is not known. It is never logged. */
  readonly script: string | null;
  readonly arguments: readonly string[];
  /** Null where it is not told. */
  readonly workFolder: string | null;
  /** Where its text lies among others, by a model that was given; absent without one, and where it is not known. */
  readonly embedding?: Float32Array | undefined;
}

/** Text of a script that is told to predictors at most, from its beginning, in UTF-16 units. */
const LONGEST_TOLD_SCRIPT = 32_768;

/** What predictors are told of a script, whoever tells it. */
export function toldScript(script: string): string {
  return script.length <= LONGEST_TOLD_SCRIPT ? script : script.slice(0, LONGEST_TOLD_SCRIPT);
}

/** What they are told of one of our own jobs: the same when it is planned, when it is submitted and once it ran. */
export function ownProgram({ name, script, arguments: args }: Omit<Program, 'workFolder'>): Program {
  return { name, script: script === null ? null : toldScript(script), arguments: args, workFolder: null };
}
