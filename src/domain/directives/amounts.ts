/** A whole number from 1 to a thousand million; null for anything else. */
export function wholeOf(text: string): number | null {
  return /^0*[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

/**
 * Seconds of numbers between colons.
 * @param from the unit that the first of them is, or the last, in seconds
 */
export function clockSeconds(text: string, from: 'HOURS_FIRST' | 'SECONDS_LAST'): number | null {
  if (!/^\d{1,9}(?::\d{1,9}){0,2}(?:\.\d{1,3})?$/.test(text)) return null;
  const parts = text.split(':').map(Number);
  const units = from === 'HOURS_FIRST' ? [3600, 60, 1] : [3600, 60, 1].slice(-parts.length);
  return aboveNothing(parts.reduce((total, part, index) => total + part * (units[index] ?? 0), 0));
}

/** Seconds of a limit as Slurm reads it: `M`, `M:S`, `H:M:S`, `D-H`, `D-H:M` or `D-H:M:S`. */
export function slurmSeconds(text: string): number | null {
  const [, days, clock = text] = /^(\d{1,5})-(.*)$/.exec(text) ?? [];
  if (days === undefined) {
    return clockSeconds(/^\d+$/.test(text) ? `${text}:0` : text, 'SECONDS_LAST');
  }
  if (!/^\d{1,3}(?::\d{1,3}){0,2}$/.test(clock)) return null;
  return aboveNothing(Number(days) * 86_400 + (clockSeconds(clock, 'HOURS_FIRST') ?? 0));
}

function aboveNothing(seconds: number): number | null {
  const whole = Math.ceil(seconds);
  return whole > 0 && whole < 2 ** 31 ? whole : null;
}

/** Bytes of each unit that a system's amounts of memory may be in; `''` for a number alone. */
export type MemoryUnits = Readonly<Record<string, number>>;

const BINARY = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40, P: 2 ** 50 };
const DECIMAL = { k: 1e3, m: 1e6, g: 1e9, t: 1e12 };

/** Slurm's: mebibytes unless told. */
export const SLURM_UNITS: MemoryUnits = {
  '': 2 ** 20,
  ...BINARY,
  ...prefixed(BINARY, (unit) => unit.toLowerCase()),
  ...prefixed(BINARY, (unit) => `${unit}B`),
  ...prefixed(BINARY, (unit) => `${unit.toLowerCase()}b`),
};

/** PBS's: bytes unless told, or words of eight. */
export const PBS_UNITS: MemoryUnits = {
  '': 1,
  b: 1,
  w: 8,
  ...prefixed(BINARY, (unit) => unit.toLowerCase()),
  ...prefixed(BINARY, (unit) => `${unit.toLowerCase()}b`),
  ...prefixed(BINARY, (unit) => `${unit.toLowerCase()}w`, 8),
};

/** Grid Engine's: bytes unless told, small letters for powers of 1000, capital ones for powers of 1024. */
export const GRID_ENGINE_UNITS: MemoryUnits = { '': 1, ...DECIMAL, ...BINARY };

function prefixed(units: MemoryUnits, name: (unit: string) => string, times = 1): MemoryUnits {
  return Object.fromEntries(Object.entries(units).map(([unit, bytes]) => [name(unit), bytes * times]));
}

/** Mebibytes, rounded up; null for anything but an amount above nothing. */
export function mebibytesOf(text: string, units: MemoryUnits): number | null {
  const [, amount = '', unit = ''] = /^(\d{1,15}(?:\.\d{1,6})?)([A-Za-z]*)$/.exec(text) ?? [];
  const bytes = Object.hasOwn(units, unit) ? units[unit] : units[unit.toLowerCase()];
  if (amount === '' || bytes === undefined) return null;
  const mebibytes = Math.ceil((Number(amount) * bytes) / 2 ** 20);
  return mebibytes > 0 && mebibytes < 2 ** 31 ? mebibytes : null;
}
