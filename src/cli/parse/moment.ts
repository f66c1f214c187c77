import type { EpochSeconds } from '../../domain/clock.ts';
import { CliFailure, EXIT } from '../failure.ts';
import { parseDuration } from './duration.ts';

/** A moment as it was written: absolute, or seconds from the service's present on. */
export type Moment =
  | { readonly kind: 'AT'; readonly at: EpochSeconds }
  | { readonly kind: 'IN'; readonly seconds: number };

/**
 * Reads `+6h` (from the service's clock on) or an ISO 8601 moment with its offset, for example `2026-11-20T14:00:00Z`.
 * @throws CliFailure for anything else
 */
export function parseMoment(text: string): Moment {
  if (text.startsWith('+')) return { kind: 'IN', seconds: parseDuration(text.slice(1)) };
  const [, day = ''] = ISO_MOMENT.exec(text) ?? [];
  const milliseconds = Date.parse(text.replace(ISO_MOMENT, '$1T$2$3'));
  if (Number.isNaN(milliseconds) || !isDay(day)) {
    const remedy = 'write +6h, or a moment with its zone: 2026-11-20T14:00:00Z, 2026-11-20T15:00:00+01:00';
    throw new CliFailure(`"${text}" is no moment`, EXIT.usage, remedy);
  }
  return { kind: 'AT', at: milliseconds / 1000 };
}

/** Whether the calendar has a day; what reads dates takes the 31st of November for the first of December. */
function isDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

/** The moment on the service's clock. */
export function resolveMoment(moment: Moment, serverNow: EpochSeconds): EpochSeconds {
  return moment.kind === 'AT' ? moment.at : serverNow + moment.seconds;
}

const ISO_MOMENT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|[+-]\d{2}:\d{2})$/;
