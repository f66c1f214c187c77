import type { EpochSeconds } from '../../domain/clock.ts';

/** A moment as the DateTime scalar shows it. */
export function toMoment(at: EpochSeconds): Date;
export function toMoment(at: EpochSeconds | null): Date | null;
export function toMoment(at: EpochSeconds | null): Date | null {
  return at === null ? null : new Date(Math.round(at * 1000));
}

/** A moment of an input; null when it is absent. */
export function fromMoment(date: Date): EpochSeconds;
export function fromMoment(date: Date | null | undefined): EpochSeconds | null;
export function fromMoment(date: Date | null | undefined): EpochSeconds | null {
  return date ? date.getTime() / 1000 : null;
}

/** A figure as GraphQL can show it: null where it is infinite or not known. */
export function finiteOrNull(value: number | null | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
