import colors from 'picocolors';
import { CliFailure } from './failure.ts';

/** Where a command's result goes: one JSON document, or text for people. */
export interface Output {
  readonly json: boolean;
  /** Prints the result: the value itself with `--json`, its rendering otherwise. Called once per command. */
  result(value: unknown, render: () => string): void;
}

/** Prints to standard output. */
export function createOutput(json: boolean): Output {
  return {
    json,
    result: (value, render) => {
      process.stdout.write(json ? `${JSON.stringify(value, null, 2)}\n` : `${render()}\n`);
    },
  };
}

/** Tells what went wrong on standard error, as JSON on standard output too when that was asked for; returns the exit code. */
export function reportFailure(error: unknown, json: boolean): number {
  const exitCode = error instanceof CliFailure ? error.exitCode : 1;
  const message = error instanceof Error ? error.message : String(error);
  const remedy = error instanceof CliFailure ? error.remedy : null;
  const faults = error instanceof CliFailure ? error.faults : [];
  if (json) process.stdout.write(`${JSON.stringify({ error: { message, remedy, faults } }, null, 2)}\n`);
  process.stderr.write(`${colors.red('gridcast:')} ${message}\n`);
  if (remedy) process.stderr.write(`${colors.dim(remedy)}\n`);
  return exitCode;
}
