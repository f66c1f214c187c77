import { CallerError, type CallerErrorCode } from '../../domain/failures.ts';

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

/** The text between quotes, cut to what fits a message. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 77)}...` : text);
}

/** Whether a text has no control characters. */
export function isPlain(text: string): boolean {
  return !/\p{Cc}/u.test(text);
}

/** Adds a fault unless it can be the name of a queue. */
export function checkQueue(faults: FaultList, queue: string, field: string): void {
  const valid = queue.length > 0 && queue.length <= LONGEST_NAME && isPlain(queue);
  faults.require(valid, field, `queue must name a queue of a site, got ${quote(queue)}`);
}

/** Characters of a name at most. */
export const LONGEST_NAME = 128;
