import { formatSeconds } from './duration.ts';
/**
 * What a site's fault means for the caller of an adapter: `final` will fail again the same way, `transient` may go
 * through later and has changed nothing, `unknown` may or may not have happened, so `find` decides.
 */
export type FailureKind = 'final' | 'transient' | 'unknown';

/**
 * What went wrong with a site, for everybody to see. The words of sites, programs and files are for the operator's log
 * alone: they may repeat what a configuration names. `NO_ANSWER` the connection broke, `GARBLED` the answer makes no
 * sense, `CLOCK_SKEW` its clock is too far from ours, `ADAPTER_FAILED` a mistake in the adapter.
 */
export const FAULT_CODES = [
  'UNREACHABLE',
  'TIMED_OUT',
  'NO_ANSWER',
  'AUTHENTICATION',
  'HOST_KEY',
  'REFUSED',
  'GARBLED',
  'TOO_LARGE',
  'CLOCK_SKEW',
  'BUSY',
  'MISCONFIGURED',
  'ADAPTER_FAILED',
] as const;
export type FaultCode = (typeof FAULT_CODES)[number];

/** A fault's code and what it means, in a sentence that is the same for every site. */
export function faultSentence(code: FaultCode): string {
  return `${code}: ${FAULT_SENTENCES[code]}`;
}

const FAULT_SENTENCES: Readonly<Record<FaultCode, string>> = {
  UNREACHABLE: 'the site cannot be reached',
  TIMED_OUT: 'the site did not answer in time',
  NO_ANSWER: 'the connection broke before the site had answered',
  AUTHENTICATION: 'the site does not accept our identity',
  HOST_KEY: 'the host key of the site is not the one on record; compare it and correct knownHostsFile',
  REFUSED: 'the site refused what it was asked',
  GARBLED: 'the answer of the site cannot be understood',
  TOO_LARGE: 'the answer of the site is larger than it may be',
  CLOCK_SKEW: 'the clock of the site is too far from ours',
  BUSY: 'the site takes no more for now',
  MISCONFIGURED: 'the site cannot be used as it is configured',
  ADAPTER_FAILED: 'the adapter of the site failed',
};

/** A failure's cause, and its code where it is not the usual one of its kind. */
export interface SiteFailureOptions extends ErrorOptions {
  readonly code?: FaultCode;
}

/** A fault of a site, always of one of three kinds. `siteSays` keeps the site's own words, for the log. */
export abstract class SiteFailure extends Error {
  abstract readonly kind: FailureKind;
  readonly code: FaultCode;

  constructor(
    message: string,
    readonly siteSays: string = message,
    { code, ...options }: SiteFailureOptions = {},
  ) {
    super(message, options);
    this.name = new.target.name;
    this.code = code ?? new.target.usualCode;
  }

  /** The code of those that are given none. */
  static readonly usualCode: FaultCode = 'UNREACHABLE';
}

/**
 * The site said no and will say no again for a while: bad queue, too large, no account, as many of our jobs as it
 * takes.
 */
export class Rejected extends SiteFailure {
  static override readonly usualCode = 'REFUSED';
  readonly kind = 'final';
}

/** The site could not be asked or was too busy. Nothing has happened there. */
export class Unavailable extends SiteFailure {
  readonly kind = 'transient';
}

/** The clock of the site is too far from ours for anything that it says to be placed in time. */
export class ClockSkew extends Unavailable {
  static override readonly usualCode = 'CLOCK_SKEW';

  constructor(
    /** Seconds by which its clock is ahead of ours. */
    readonly skewSeconds: number,
    limitSeconds: number,
  ) {
    const size = formatSeconds(Math.abs(skewSeconds));
    const limit = formatSeconds(limitSeconds);
    super(
      `the clock of the site is ${size} ${skewSeconds < 0 ? 'behind' : 'ahead of'} ours; at most ${limit} either way are allowed`,
    );
  }
}

/** It may or may not have happened: a lost reply, a timeout, a crash. Only `find` in queue and accounting can tell. */
export class Unknown extends SiteFailure {
  static override readonly usualCode = 'NO_ANSWER';
  readonly kind = 'unknown';
}

/** Machine-readable reasons why a caller's request was not carried out. */
export const CALLER_ERROR_CODES = [
  'INVALID',
  'NOT_FOUND',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'IN_FLIGHT',
  'ALREADY_ENDED',
  'NAME_TAKEN',
  'SITE_CHANGED',
  'SITE_IN_USE',
  'IDEMPOTENCY_MISMATCH',
  'NO_ELIGIBLE_SITE',
  'PROMISE_REFUSED',
  'PADDING_TOO_HIGH',
  'STALE_SITE',
  'SUSPENDED_SITE',
  'BUSY',
  'NO_FILE_TRANSPORT',
  'OUTPUT_GONE',
  'SITE_FAULT',
  'DEADLINE_EXCEEDED',
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
