import { CannotStart } from '../main/cannot-start.ts';
import { isDatabaseUnreached } from '../main/database-unreached.ts';
import { CliFailure, EXIT, type ExitCode } from './failure.ts';
import colors from './render/colors.ts';

/** Where a command's result goes: JSON for programs, or text for people. */
export interface Output {
  readonly json: boolean;
  /**
   * Prints the result: the value itself with `--json`, its rendering otherwise. Called once per command.
   * @param exitCode what the process is to end with, 0 unless told
   */
  result(value: unknown, render: () => string, exitCode?: ExitCode): void;
  /** Prints one of the values of a command that goes on: an object on a line of its own with `--json`. */
  event(value: unknown, render: () => string): void;
}

/**
 * Prints to standard output.
 * @param full whether JSON carries long lists too: trajectories, and the candidates of a job's plan
 */
export function createOutput(json: boolean, full = false): Output {
  const short = (value: unknown) => (full ? value : withoutLongLists(value));
  return {
    json,
    result: (value, render, exitCode = 0) => {
      process.stdout.write(json ? `${JSON.stringify(short(value), null, 2)}\n` : `${render()}\n`);
      if (exitCode !== 0) process.exitCode = exitCode;
    },
    event: (value, render) => {
      process.stdout.write(json ? `${JSON.stringify(short(value))}\n` : `${render()}\n`);
    },
  };
}

/** The value without what takes hundreds of lines to print and is seldom read. */
function withoutLongLists(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, shorten) ?? 'null');
}

function shorten(name: string, field: unknown): unknown {
  if (name === 'trajectory') return undefined;
  return name === 'plan' && field ? { ...field, candidates: undefined } : field;
}

/**
 * Tells what went wrong on standard error, as JSON on standard output too when that was asked for; returns the exit
 * code.
 */
export function reportFailure(error: unknown, json: boolean): number {
  const failure = isDatabaseUnreached(error) ? DATABASE_UNREACHED : error;
  const { message, remedy } = wordsOf(failure);
  if (json) process.stdout.write(failureText(failure));
  process.stderr.write(`${colors.red('gridcast:')} ${message}\n`);
  if (remedy) process.stderr.write(`${colors.dim(remedy)}\n`);
  return failure instanceof CliFailure ? failure.exitCode : EXIT.caller;
}

/** What went wrong as JSON. */
export function failureText(error: unknown): string {
  return `${JSON.stringify({ error: wordsOf(error) }, null, 2)}\n`;
}

function wordsOf(error: unknown): Pick<CliFailure, 'message' | 'remedy' | 'faults'> {
  const message = error instanceof Error ? error.message : String(error);
  const remedy = error instanceof CliFailure || error instanceof CannotStart ? error.remedy : null;
  return { message, remedy, faults: error instanceof CliFailure ? error.faults : [] };
}

const DATABASE_UNREACHED = new CliFailure(
  'the database does not answer',
  EXIT.unreachable,
  'check DATABASE_URL, and whether PostgreSQL runs there',
);
