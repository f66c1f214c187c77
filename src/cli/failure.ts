import { fieldName } from '../domain/field-name.ts';

/**
 * Exit codes beside 0. `caller`: what was asked for cannot be, or the answer is no. `usage`: the command is written
 * wrongly. `unreachable`: the service does not answer. Of `watch`: `failed`, it ended and not well; `cancelled`, it was
 * cancelled.
 */
export const EXIT = { caller: 1, usage: 2, unreachable: 3, failed: 4, cancelled: 5 } as const;
export type ExitCode = 0 | (typeof EXIT)[keyof typeof EXIT];

/** Ends a command with a message that says what is wrong and what to do, and an exit code. */
export class CliFailure extends Error {
  constructor(
    message: string,
    readonly exitCode: Exclude<ExitCode, 0>,
    /** What the caller can do about it; null when the message says it all. */
    readonly remedy: string | null = null,
    /** Machine-readable faults, printed with `--json`. */
    readonly faults: readonly UserError[] = [],
  ) {
    super(message);
    this.name = 'CliFailure';
  }
}

/**
 * Runs work that reads something the caller wrote.
 * @param what where it was written, for example `--walltime`
 * @throws CliFailure of the work, with that before its message
 */
export function about<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error;
    throw new CliFailure(`${what}: ${error.message}`, error.exitCode, error.remedy, error.faults);
  }
}

/** A mistake of the caller as the API names it. */
export interface UserError {
  readonly code: string;
  readonly field: string | null;
  readonly message: string;
}

/** The failure that a mutation's `userErrors` amount to; null when there are none. */
export function failureOf(userErrors: readonly UserError[]): CliFailure | null {
  if (userErrors.length === 0) return null;
  const lines = userErrors.map(lineOf);
  const remedies = [...new Set(userErrors.map(({ code }) => REMEDIES[code]).filter((remedy) => remedy !== undefined))];
  return new CliFailure(lines.join('\n'), EXIT.caller, remedies.join('\n') || null, userErrors);
}

/**
 * Field and message; a message that begins with the field's name gets its path in place of that, so that nothing is
 * said twice.
 */
function lineOf({ field, message }: UserError): string {
  if (!field) return message;
  const begins = [field, fieldName(field)].find((name) => [' ', ': '].some((end) => message.startsWith(name + end)));
  return begins === undefined ? `${field}: ${message}` : `${field}${message.slice(begins.length)}`;
}

const REMEDIES: Readonly<Record<string, string>> = {
  UNAUTHENTICATED: 'give a valid token with --token or GRIDCAST_TOKEN; `gridcast token create` makes one',
  FORBIDDEN: 'use the token of a principal whose role carries the right; `gridcast token create --role ...` makes one',
  NOT_FOUND: '`gridcast sites` and `gridcast status` list what your token may see',
  NO_ELIGIBLE_SITE: '`gridcast plan` says for every site why it cannot take the work',
  PADDING_TOO_HIGH: 'allow more with --max-padding, or ask for a lower probability',
  PROMISE_REFUSED: 'ask for less: a lower probability, fewer processors, another walltime or a later moment',
  SUSPENDED_SITE: '`gridcast sites` shows which sites are taken to be down, and to admins why',
  STALE_SITE: '`gridcast sites` shows how old each site’s facts are; is a worker running?',
  UNAVAILABLE: 'ask again in a while, with the same --key where one was given',
  GRAPHQL_VALIDATION_FAILED: 'command and service are of different versions: take the same of both',
  IDEMPOTENCY_MISMATCH: 'use a fresh --key for a call with other input',
};
