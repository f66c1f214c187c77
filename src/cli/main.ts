import { CommanderError } from 'commander';
import { CliFailure, EXIT } from './failure.ts';
import { failureText, reportFailure } from './output.ts';
import { buildProgram } from './program.ts';
import { endWhenUnread } from './unread.ts';

/**
 * Runs one command of `gridcast` and sets the process' exit code: 0, 1 for a request that cannot be carried out or an
 * answer that is no, 2 for wrong usage, 3 when the service is out of reach; of `watch` 4 for a bad end and 5 for a
 * cancelled one.
 * @param argv as Node.js has it, interpreter and script first
 */
export async function main(argv: readonly string[]): Promise<void> {
  const json = argv.includes('--json');
  endWhenUnread();
  try {
    await buildProgram().parseAsync([...argv]);
  } catch (error) {
    process.exitCode = error instanceof CommanderError ? usage(error, json) : reportFailure(error, json);
  }
}

/** Help and version end with 0; what Commander says of wrong usage is on standard error already. */
function usage(error: CommanderError, json: boolean): number {
  if (error.exitCode === 0) return 0;
  const message = error.message.replace(/^error: /, '');
  if (json) process.stdout.write(failureText(new CliFailure(message, EXIT.usage)));
  return EXIT.usage;
}
