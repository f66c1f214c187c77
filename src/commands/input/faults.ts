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
  const characters = Array.from(text.slice(0, 2 * MOST_QUOTED));
  const isLong = text.length > 2 * MOST_QUOTED || characters.length > MOST_QUOTED;
  return JSON.stringify(isLong ? `${characters.slice(0, MOST_QUOTED - 3).join('')}...` : text);
}

/** How many characters a text has, as people count them who know of code points. */
export function countCharacters(text: string): number {
  return Array.from(text).length;
}

/** Whether a text has no control characters and breaks no line. */
export function isPlain(text: string): boolean {
  return !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
}

/** Whether a text has anything to be seen. */
export function isVisible(text: string): boolean {
  return /[^\s\p{Cf}]/u.test(text);
}

/** Adds a fault unless it can be the name of a queue. */
export function checkQueue(faults: FaultList, queue: string, field: string): void {
  const valid = queue.length > 0 && queue.length <= LONGEST_NAME && isPlain(queue);
  faults.require(valid, field, `queue must name a queue of a site, got ${quote(queue)}`);
}

/** Characters of a text that are quoted at most. */
const MOST_QUOTED = 80;
/** Characters of a name at most. */
export const LONGEST_NAME = 128;
