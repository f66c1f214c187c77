import { execa } from 'execa';
import { withinTime } from '../../src/domain/deadline.ts';
import { type Command, CommandFailure, type CommandResult, type CommandRunner } from './command.ts';
import { endGroup, killGroup } from './process-group.ts';

/** Limits and surroundings of every program that is run. */
export interface RunnerOptions {
  /** A program that takes longer is killed. */
  readonly timeoutMilliseconds: number;
  /** A program that says more, in characters of either stream, is killed. */
  readonly outputLimitCharacters: number;
  /** Variables of every program. Nothing is inherited from this process, whose environment holds secrets. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Runs programs on this machine. */
export function createLocalRunner(options: RunnerOptions): CommandRunner {
  return {
    place: 'local commands',
    run: (command) => runLocally(command, options),
    close: async () => undefined,
  };
}

/** Where programs are looked for unless the configured environment says otherwise. */
export const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Runs one program on this machine, in a process group of its own. When its time is up the whole group is told to
 * end, and killed a moment later.
 * @throws CommandFailure when it did not come to an end of its own
 */
export async function runLocally(command: Command, options: RunnerOptions): Promise<CommandResult> {
  const [program, ...words] = command.argv;
  const timeoutMilliseconds = command.timeoutMilliseconds ?? options.timeoutMilliseconds;
  const subprocess = execa(program, words, {
    input: command.stdin ?? '',
    env: { PATH: DEFAULT_PATH, ...options.environment, ...command.environment },
    extendEnv: false,
    maxBuffer: options.outputLimitCharacters,
    killSignal: 'SIGKILL',
    detached: true,
    reject: false,
    stripFinalNewline: false,
  });
  // execa's own time limit waits for whoever keeps the output open: children of the program, or the master of an ssh
  // connection.
  const result = await withinTime(subprocess, timeoutMilliseconds);
  if (result === null) {
    await endGroup(subprocess);
    throw new CommandFailure('TIMED_OUT', `${program} did not end within ${timeoutMilliseconds} ms`);
  }
  if (result.exitCode !== undefined && !result.isMaxBuffer) {
    return { exitCode: result.exitCode, stdout: result.stdout, stderr: result.stderr };
  }
  killGroup(subprocess.pid);
  throw failureOf(program, result, options.outputLimitCharacters);
}

/** What is known of a program that did not come to an end of its own. */
interface Ending {
  readonly isMaxBuffer: boolean;
  /** The system's error code, when it could not be started. */
  readonly code?: string | undefined;
  readonly signal?: string | undefined;
  readonly stderr: string | undefined;
}

function failureOf(
  program: string,
  { isMaxBuffer, code, signal, stderr }: Ending,
  outputLimitCharacters: number,
): CommandFailure {
  if (isMaxBuffer) {
    return new CommandFailure('OUTPUT_LIMIT', `${program} said more than ${outputLimitCharacters} characters`);
  }
  if (signal) return new CommandFailure('LOST', `${program} was ended by ${signal}${saying(stderr)}`);
  return new CommandFailure('NOT_STARTED', `${program} could not be started (${code ?? 'unknown reason'})`);
}

/** The last line of what a program said, as the end of a message. */
function saying(stderr: string | undefined): string {
  const line = stderr?.trimEnd().split('\n').at(-1) ?? '';
  return line === '' ? '' : `: ${line}`;
}
