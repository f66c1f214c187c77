import { type CommandRunner } from './command.ts';
import { type RunnerOptions, runLocally } from './local-runner.ts';

/**
 * Runs programs on this machine as another user, by the system's sudo, which must ask nobody for a password. Variables
 * are words for `env`, for sudo hands none on. A program whose time is up is ended there, too: nobody but its user may.
 */
export function createSudoRunner(user: string, options: RunnerOptions): CommandRunner {
  return {
    place: `local commands as ${user}`,
    run(command) {
      const environment = { ...options.environment, ...command.environment };
      const seconds = Math.ceil((command.timeoutMilliseconds ?? options.timeoutMilliseconds) / 1000);
      const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
      const asUser = ['sudo', '-n', '-H', '-u', user, '--'] as const;
      const limited = ['env', ...variables, 'timeout', '-k', '2', String(seconds), ...command.argv];
      return runLocally({ ...command, argv: [...asUser, ...limited], environment: {} }, options);
    },
    close: async () => undefined,
  };
}
