import { type FaultCode, type SiteFailureOptions, Unavailable, Unknown } from '../../src/domain/failures.ts';
import type { ServiceStanding } from '../../src/domain/site-service.ts';
import {
  type Command,
  CommandFailure,
  type CommandFailureReason,
  type CommandResult,
  type CommandRunner,
} from './command.ts';
import { codeOfWords } from './fault-code.ts';
import { withoutLocaleWarnings } from './locale-warnings.ts';
import type { SiteGuard } from './site-guard.ts';

/**
 * A site that is talked to by commands, whether they run here or over ssh: where an adapter's talking and understanding
 * meet.
 *
 * `understand` is given the result whatever its status and either reads it or throws the `Rejected`, `Unavailable` or
 * `Unknown` that it means. It runs inside the guard, so that what it makes of a result counts for the circuit breaker.
 */
export class CommandSite {
  private skewSeconds = 0;

  constructor(
    private readonly runner: CommandRunner,
    private readonly guard: SiteGuard,
  ) {}

  /**
   * Seconds by which the site's clock was ahead of ours when it last told; 0 where commands run here, by our own clock.
   */
  get clockSkewSeconds(): number {
    return this.skewSeconds;
  }

  /**
   * Runs a command that only reads.
   * @param service of the site that answers it, for the guard
   * @throws Unavailable when there is no result; nothing has happened
   */
  ask<Answer>(service: string, command: Command, understand: (result: CommandResult) => Answer): Promise<Answer> {
    return this.run(
      service,
      command,
      understand,
      (words, cause) => new Unavailable(this.say(words), words, causeAndCode(cause)),
    );
  }

  /**
   * Runs a command that changes something.
   * @param service of the site that answers it, for the guard
   * @throws Unavailable when it certainly never ran, Unknown when there is no result for any other reason
   */
  change<Answer>(service: string, command: Command, understand: (result: CommandResult) => Answer): Promise<Answer> {
    return this.run(service, command, understand, (words, cause) => {
      const isUntouched = cause.reason === 'NOT_STARTED';
      return new (isUntouched ? Unavailable : Unknown)(this.say(words), words, causeAndCode(cause));
    });
  }

  /** How every service stands that was asked something by now. */
  standings(): ServiceStanding[] {
    return this.guard.standings();
  }

  close(): Promise<void> {
    return this.runner.close();
  }

  private run<Answer>(
    service: string,
    command: Command,
    understand: (result: CommandResult) => Answer,
    explain: (words: string, cause: CommandFailure) => Unavailable | Unknown,
  ): Promise<Answer> {
    return this.guard.run(service, async () => {
      let result: CommandResult;
      try {
        const answer = await this.runner.run(command);
        result = { ...answer, stderr: withoutLocaleWarnings(answer.stderr) };
        this.skewSeconds = result.clockSkewSeconds ?? this.skewSeconds;
      } catch (error) {
        if (error instanceof CommandFailure) throw explain(error.message, error);
        throw error;
      }
      if (NOT_FOUND.has(result.exitCode)) {
        const words = `${command.argv[0]} could not be run: ${result.stderr.trim() || `status ${result.exitCode}`}`;
        throw new Unavailable(this.say(words), words, { code: 'MISCONFIGURED' });
      }
      return understand(result);
    });
  }

  private say(words: string): string {
    return `${this.runner.place}: ${words}`;
  }
}

function causeAndCode(cause: CommandFailure): SiteFailureOptions {
  return { cause, code: CODES[cause.reason] ?? codeOfWords(cause.message, 'UNREACHABLE') };
}

/** What the reasons mean that are clear without a word. */
const CODES: Readonly<Partial<Record<CommandFailureReason, FaultCode>>> = {
  TIMED_OUT: 'TIMED_OUT',
  OUTPUT_LIMIT: 'TOO_LARGE',
  LOST: 'NO_ANSWER',
};

/** Statuses of a shell or `env` that found no such program or may not run it. */
const NOT_FOUND = new Set([126, 127]);
