/**
 * What a site's fault means for the caller of an adapter: `final` will fail again the same way, `transient` may go through
 * later and has changed nothing, `unknown` may or may not have happened, so `find` decides.
 */
export type FailureKind = 'final' | 'transient' | 'unknown';

/** A fault of a site, always of one of three kinds. `siteSays` keeps the site's own words. */
export abstract class SiteFailure extends Error {
  abstract readonly kind: FailureKind;

  constructor(
    message: string,
    readonly siteSays: string = message,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The site said no and will say no again: bad queue, too large, no account. */
export class Rejected extends SiteFailure {
  readonly kind = 'final';
}

/** The site could not be asked or was too busy. Nothing has happened there. */
export class Unavailable extends SiteFailure {
  readonly kind = 'transient';
}

/** It may or may not have happened: a lost reply, a timeout, a crash. Only `find` in queue and accounting can tell. */
export class Unknown extends SiteFailure {
  readonly kind = 'unknown';
}

/** Machine-readable reasons why a caller's request was not carried out. */
export const CALLER_ERROR_CODES = [
  'INVALID',
  'NOT_FOUND',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'CONFLICT',
  'IDEMPOTENCY_MISMATCH',
  'NO_ELIGIBLE_SITE',
  'PROMISE_REFUSED',
  'STALE_SITE',
  'SUSPENDED_SITE',
] as const;
export type CallerErrorCode = (typeof CALLER_ERROR_CODES)[number];

/** A mistake of the caller: names the field, the value and the remedy, and has changed nothing. */
export class CallerError extends Error {
  constructor(
    readonly code: CallerErrorCode,
    /** Path of the offending input field, for example `input.processors`; null when no single field is at fault. */
    readonly field: string | null,
    message: string,
  ) {
    super(message);
    this.name = 'CallerError';
  }
}

/** A step found that another worker has taken its turn since it began. The step must stop without writing anything. */
export class StaleTurn extends Error {
  constructor(what: string) {
    super(`${what} was advanced by another worker`);
    this.name = 'StaleTurn';
  }
}

/** Crashes the step loudly when something that must hold does not. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`);
}
