import { CliFailure, EXIT } from '../failure.ts';
import { LARGEST_WHOLE } from './number.ts';

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/**
 * Seconds of a duration as people write it: `90m`, `6h`, `1h30m`, `2d`, `1:30:00` (hours:minutes:seconds), `90:00`
 * (minutes:seconds), a plain number of seconds, or as they are printed: `1 h 30 m`.
 * @returns whole seconds, more than 0 and at most what the API takes, 68 years
 * @throws CliFailure for anything else
 */
export function parseDuration(text: string): number {
  const seconds = clockSeconds(text) ?? unitSeconds(text.replaceAll(/(?<=[\dsmhdw]) +(?=[\dsmhdw])/g, ''));
  if (seconds === null || !(seconds > 0) || seconds > LARGEST_WHOLE) {
    throw new CliFailure(`"${text}" is no duration`, EXIT.usage, 'write 90m, 6h, 1h30m, 1:30:00 or seconds');
  }
  return seconds;
}

function clockSeconds(text: string): number | null {
  const match = /^(?:(\d+):)?(\d+):([0-5]\d)$/.exec(text);
  if (!match) return null;
  const [, hours = '0', minutes = '0', seconds = '0'] = match;
  if (match[1] !== undefined && Number(minutes) > 59) return null;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

function unitSeconds(text: string): number | null {
  if (/^\d+$/.test(text)) return Number(text);
  if (!/^(?:\d+(?:\.\d+)?[smhdw])+$/.test(text)) return null;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)([smhdw])/g);
  return Math.round(
    [...parts].reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNIT_SECONDS[unit] ?? 0), 0),
  );
}
