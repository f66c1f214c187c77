/** A program to be run at a site. Its words reach the program as they are; no shell of ours ever reads them. */
export interface Command {
  /** The program and its arguments. None may contain NUL. */
  readonly argv: readonly [program: string, ...arguments: string[]];
  /** What its standard input gives, which is empty and closed without. */
  readonly stdin?: string | Uint8Array;
  /** Variables beside the configured ones. */
  readonly environment?: Readonly<Record<string, string>>;
  /** In place of the configured time limit. */
  readonly timeoutMilliseconds?: number;
}

/**
 * What a program that ran to its end left. A status other than 0 is a result too: only the adapter knows what it means.
 */
export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /**
   * Seconds by which the clock of the machine where it ran is ahead of ours, where that is another machine and has
   * told.
   */
  readonly clockSkewSeconds?: number;
}

/** Runs programs at one place, at any number of times at once. */
export interface CommandRunner {
  /** Where programs run, for messages: `local commands`, `ssh alice@login`. */
  readonly place: string;
  /**
   * Runs a program to its end.
   * @throws CommandFailure when it did not come to an end of its own
   */
  run(command: Command): Promise<CommandResult>;
  /** Lets go of connections and child processes. */
  close(): Promise<void>;
}

/**
 * Why there is no result: `NOT_STARTED` the program certainly never ran, `TIMED_OUT` it was still running,
 * `OUTPUT_LIMIT` it said more than it may, `LOST` it was killed or the connection to it broke. Only after the first is
 * it sure that nothing happened.
 */
export type CommandFailureReason = 'NOT_STARTED' | 'TIMED_OUT' | 'OUTPUT_LIMIT' | 'LOST';

/** A program that gave no result. The message names the program but neither its arguments nor its input. */
export class CommandFailure extends Error {
  constructor(
    readonly reason: CommandFailureReason,
    message: string,
  ) {
    super(message);
    this.name = 'CommandFailure';
  }
}
