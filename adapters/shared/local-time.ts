import { DAY_SECONDS, type EpochSeconds } from '../../src/domain/clock.ts';

/** A moment as a clock on the wall of that zone shows it: `2026-11-20T18:47:45`. */
export function localTimeOf(at: EpochSeconds, timeZone: string): string {
  return formatOf(timeZone)
    .format(Math.max(0, at) * 1000)
    .replace(' ', 'T');
}

/** The moment of such a text. In the hour that comes twice when clocks are set back it is the first of the two. */
export function epochOfLocalTime(text: string, timeZone: string): EpochSeconds {
  return Math.min(...momentsOfLocalTime(text, timeZone));
}

/** Every moment of such a text, the first ones first: two in the hour that comes twice when clocks are set back. */
export function momentsOfLocalTime(text: string, timeZone: string): EpochSeconds[] {
  const asUtc = Date.parse(`${text}Z`) / 1000;
  const offsets = [asUtc - DAY_SECONDS, asUtc + DAY_SECONDS].map((near) => offsetSeconds(near, timeZone));
  const moments = [...new Set(offsets)].map((offset) => asUtc - offset);
  const shown = moments.filter((at) => localTimeOf(at, timeZone) === text);
  return shown.length === 0 ? moments.slice(0, 1) : shown.sort((one, other) => one - other);
}

/** Whether it is a name of the IANA time zone database. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Seconds that the zone is ahead of UTC at a moment. */
function offsetSeconds(at: EpochSeconds, timeZone: string): number {
  return Date.parse(`${localTimeOf(at, timeZone)}Z`) / 1000 - Math.floor(at);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The Swedish way of writing moments is ISO 8601's. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(timeZone, format);
  return format;
}
