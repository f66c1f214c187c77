import { CallerError, type CallerErrorCode } from '../../domain/failures.ts';
import { countCharacters, quoted } from '../../domain/text.ts';

/**
 * Everything that is wrong with an input, found in one go. It is itself the first fault, for callers that can show only
 * one.
 */
export class InputFaults extends CallerError {
  constructor(
    first: CallerError,
    readonly faults: readonly CallerError[],
  ) {
    super(first.code, first.field, first.message);
    this.name = 'InputFaults';
  }
}

/** Collects the faults of one input. Checks add to it; `assertNone` ends the validation. */
export class FaultList {
  private readonly faults: CallerError[] = [];

  add(code: CallerErrorCode, field: string | null, message: string): void {
    this.faults.push(new CallerError(code, field, message));
  }

  /** Adds INVALID unless the condition holds. */
  require(condition: boolean, field: string, message: string): void {
    if (!condition) this.add('INVALID', field, message);
  }

  /** @throws InputFaults when there is any */
  assertNone(): void {
    const [first] = this.faults;
    if (first) throw new InputFaults(first, this.faults);
  }
}

/** Every fault that an error of a command stands for. */
export function faultsOf(error: CallerError): readonly CallerError[] {
  return error instanceof InputFaults ? error.faults : [error];
}

/** Whether a text has no control characters and breaks no line. */
export function isPlain(text: string): boolean {
  return !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
}

/** Whether a text has anything to be seen. */
function isVisible(text: string): boolean {
  return /[^\s\p{Cf}]/u.test(text);
}

/** Adds a fault unless it can be the name of a job. */
export function checkName(faults: FaultList, name: string, field: string): void {
  faults.require(
    isVisible(name) && countCharacters(name) <= LONGEST_NAME && isPlain(name),
    field,
    `name must have 1 to ${LONGEST_NAME} printable characters, got ${quoted(name)}`,
  );
}

/** Adds a fault unless it can be the name of a queue. */
export function checkQueue(faults: FaultList, queue: string, field: string): void {
  const valid = queue.length > 0 && countCharacters(queue) <= LONGEST_NAME && isPlain(queue);
  faults.require(valid, field, `queue must name a queue of a site, got ${quoted(queue)}`);
}

/** Characters of a name at most. */
export const LONGEST_NAME = 128;
