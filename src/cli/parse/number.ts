import { CliFailure, EXIT } from '../failure.ts';

/** A whole number of at least `least`. @throws CliFailure for anything else */
export function parseWhole(text: string, least = 1): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new CliFailure(`"${text}" is no whole number`, EXIT.usage, `write a whole number from ${least} on`);
}

/** A number. The service judges its range. @throws CliFailure for anything else */
export function parseNumber(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(value)) return value;
  throw new CliFailure(`"${text}" is no number`, EXIT.usage);
}
