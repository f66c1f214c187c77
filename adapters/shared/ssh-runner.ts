import { randomUUID } from 'node:crypto';
import type { EpochSeconds } from '../../src/domain/clock.ts';
import { shellWord, shellWords } from '../../src/domain/shell-word.ts';
import { type Command, CommandFailure, type CommandResult, type CommandRunner } from './command.ts';
import { type RunnerOptions, runLocally } from './local-runner.ts';
import { presentMoment } from './present-moment.ts';
import { SshMaster, type SshTarget, sshPlace } from './ssh-master.ts';

/**
 * Runs programs on another machine by the system's ssh, all over one connection (ControlMaster) that is opened when
 * first needed and again when it was lost. The login shell there must read POSIX words (sh, bash, dash, ksh, zsh).
 */
export function createSshRunner(target: SshTarget, options: RunnerOptions): CommandRunner {
  const master = new SshMaster(target);
  return {
    place: sshPlace(target),
    async run(command) {
      const connection = await master.open();
      try {
        return await runRemotely(master, command, options);
      } catch (error) {
        const refusal = isLost(error) ? await master.refusalOfShell(connection) : null;
        if (refusal) throw refusal;
        // The connection was gone before anything could start: once more over a new one, or with the reason why there
        // is none.
        if (!(error instanceof CommandFailure) || error.reason !== 'NOT_STARTED' || TOO_MANY.test(error.message))
          throw error;
        master.drop(connection);
        await master.open();
        return runRemotely(master, command, options);
      }
    },
    close: () => master.close(),
  };
}

function isLost(error: unknown): boolean {
  return error instanceof CommandFailure && error.reason === 'LOST';
}

async function runRemotely(master: SshMaster, command: Command, options: RunnerOptions): Promise<CommandResult> {
  const mark = `gridcast-${randomUUID()}`;
  const environment = { ...options.environment, ...command.environment };
  const begunAt = presentMoment();
  const seconds = Math.ceil((command.timeoutMilliseconds ?? options.timeoutMilliseconds) / 1000);
  const result = await runLocally(
    {
      argv: ['ssh', ...master.clientArguments(), remoteLine(command.argv, environment, mark, seconds)],
      stdin: afterMark(mark, command.stdin ?? ''),
      ...(command.timeoutMilliseconds === undefined ? {} : { timeoutMilliseconds: command.timeoutMilliseconds }),
    },
    { ...options, environment: {} },
  );
  const [program] = command.argv;
  if (result.stderr.includes(`\n${mark} ${SWALLOWED}\n`)) {
    const why = 'a start-up file of the login shell there reads standard input, which must be left to programs';
    throw new CommandFailure('NOT_STARTED', `${program} could not be started: ${why}`);
  }
  const answer = readMarked(result, mark);
  if (answer) {
    const { startedAt, ...rest } = answer;
    return startedAt === null ? rest : { ...rest, clockSkewSeconds: skewOf(startedAt, begunAt, presentMoment()) };
  }
  const words = result.stderr.trim() || `ssh ended with status ${result.exitCode}`;
  const reason = NEVER_OPENED.test(result.stderr) ? 'NOT_STARTED' : 'LOST';
  throw new CommandFailure(reason, `the connection failed before ${program} gave its result: ${words}`);
}

/** What a session is given on its standard input: the first line shows whether somebody has read of it before. */
export function afterMark(mark: string, stdin: string | Uint8Array): string | Uint8Array {
  if (typeof stdin === 'string') return `${mark}\n${stdin}`;
  return Buffer.concat([Buffer.from(`${mark}\n`), stdin]);
}

/**
 * The line for the login shell. What its start-up files say comes before the mark on standard output, which the time
 * there follows; the status after the mark on standard error proves that the program came to its end, which ssh's own
 * 255 cannot. A program whose time is up is ended there too, by `timeout` where there is one: nobody else would, once
 * the connection has gone.
 */
export function remoteLine(
  argv: readonly string[],
  environment: Readonly<Record<string, string>>,
  mark: string,
  seconds: number,
): string {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const program = shellWords(['env', ...variables, ...argv]);
  const word = shellWord(mark);
  const told = `printf '\\n%s ${SWALLOWED}\\n' ${word} >&2; exit 1`;
  const untouched = `IFS= read -r gridcast_line; [ "$gridcast_line" = ${word} ] || { ${told}; }`;
  const limited = `if command -v timeout >/dev/null 2>&1; then timeout -k 2 ${seconds} "$@"; else "$@"; fi`;
  const begun = `printf '%s %s\\n' ${word} "$(date +%s 2>/dev/null)"; ${untouched}`;
  return `${begun}; gridcast() { ${limited}; }; gridcast ${program}; set -- $?; printf '\\n%s %s\\n' ${word} "$1" >&2; exit "$1"`;
}

/** What a program left, and when it began by the clock there, in whole seconds; null where that was not told. */
export type MarkedResult = CommandResult & { readonly startedAt: EpochSeconds | null };

/** What lies between the marks; null when the end is missing. */
export function readMarked({ stdout, stderr }: CommandResult, mark: string): MarkedResult | null {
  const end = stderr.lastIndexOf(`\n${mark} `);
  const start = stdout.indexOf(`${mark} `);
  const startEnd = stdout.indexOf('\n', start);
  if (end < 0 || start < 0 || startEnd < 0) return null;
  const exitCode = Number.parseInt(stderr.slice(end + mark.length + 2), 10);
  const told = stdout.slice(start + mark.length + 1, startEnd);
  const startedAt = /^\d{9,11}$/.test(told) ? Number(told) : null;
  return { exitCode, stdout: stdout.slice(startEnd + 1), stderr: stderr.slice(0, end), startedAt };
}

/** Seconds by which a clock is ahead of ours that told whole seconds at some moment between two of ours. */
function skewOf(told: EpochSeconds, earliestAt: EpochSeconds, latestAt: EpochSeconds): number {
  if (told < Math.floor(earliestAt)) return told - earliestAt;
  return Math.max(0, told - latestAt);
}

/** Told in place of a status where the first line of a session's input was gone before the program could begin. */
const SWALLOWED = 'swallowed';
/** What a client says for which the connection has no session left, though it is open. */
const TOO_MANY = /Session open refused/;
/** What a client says that got no session over the connection. */
const NEVER_OPENED =
  /session request failed|Control socket connect|mux_client_hello|UNKNOWN port|kex_exchange_identification/;
