import { CliFailure, EXIT } from '../failure.ts';

/** The largest whole number that the API takes. */
export const LARGEST_WHOLE = 2 ** 31 - 1;

/** A whole number from `least` to `most`. @throws CliFailure for anything else */
export function parseWhole(text: string, least = 1, most = LARGEST_WHOLE): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new CliFailure(`"${text}" is no whole number from ${least} to ${most}`, EXIT.usage);
}

/** A number above 0. @throws CliFailure for anything else */
export function parsePositive(text: string): number {
  const value = parseNumber(text);
  if (value > 0) return value;
  throw new CliFailure(`"${text}" is no number above 0`, EXIT.usage);
}

/**
 * A probability as a share or in percent: `0.8`, `80%`. What the service takes of 0 to 1 is for it to say. @throws
 * CliFailure for anything else
 */
export function parseProbability(text: string): number {
  const [, percent] = /^(.*\S) ?%$/.exec(text) ?? [];
  const value = percent === undefined ? shareOf(text) : Number((Number(percent) / 100).toPrecision(15));
  if (value >= 0 && value <= 1) return value;
  throw new CliFailure(`"${text}" is no probability`, EXIT.usage, 'write 0.8 or 80%');
}

/** A number without a percent sign; one above 1 is a percentage or a slip, and no probability. */
function shareOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

/** A number. The service judges its range. @throws CliFailure for anything else */
export function parseNumber(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(value)) return value;
  throw new CliFailure(`"${text}" is no number`, EXIT.usage);
}
