import { CommandFailure, type CommandResult, type CommandRunner } from './command.ts';
import { type RunnerOptions, runLocally } from './local-runner.ts';

/**
 * Runs programs on this machine as another user, by the system's sudo, which must ask nobody for a password. Variables
 * are words for `env`, for sudo hands none on. A program whose time is up is ended there, too: nobody but its user may.
 */
export function createSudoRunner(user: string, options: RunnerOptions): CommandRunner {
  return {
    place: `local commands as ${user}`,
    async run(command) {
      const environment = { ...options.environment, ...command.environment };
      const seconds = Math.ceil((command.timeoutMilliseconds ?? options.timeoutMilliseconds) / 1000);
      const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
      const asUser = ['sudo', '-n', '-H', '-u', user, '--'] as const;
      const limited = ['env', ...variables, 'timeout', '-k', '2', String(seconds), ...command.argv];
      const result = await runLocally({ ...command, argv: [...asUser, ...limited], environment: {} }, options);
      const refusal = refusalOfSudo(result);
      if (refusal === null) return result;
      throw new CommandFailure('NOT_STARTED', `sudo lets nothing run as ${user}: ${refusal}`);
    },
    close: async () => undefined,
  };
}

/**
 * What sudo says where it has refused, so that the program never began; null where it began. What sudo only warns of,
 * as of a host whose name it cannot resolve, is no refusal.
 */
export function refusalOfSudo({ exitCode, stderr }: CommandResult): string | null {
  if (exitCode !== 1) return null;
  const line = stderr.split('\n').find((one) => REFUSAL.test(one));
  // It repeats the whole command, whose words are nobody's to read.
  return line?.replace(/ to execute '.*/, ' to execute it').slice(0, LONGEST_REFUSAL) ?? null;
}

const REFUSAL = new RegExp(
  [
    '^sudo: (?:a password is required|a terminal is required|unknown (?:user|uid)|sorry, you must have a tty)',
    '^sudo: (?:account (?:validation failure|.*expired)|PAM .*error|unable to initialize PAM)',
    '^sudo: (?:no valid sudoers|error initializing (?:policy|audit) plugin|unable to (?:open|stat|read) .*sudoers)',
    '^Sorry, user .* (?:is not allowed to execute|may not run sudo)',
    '^\\S+ is not (?:in the sudoers file|allowed to run sudo)',
  ].join('|'),
  'i',
);
const LONGEST_REFUSAL = 300;
