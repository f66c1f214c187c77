const POWERS = ['', 'k', 'm', 'g', 't', 'p'];

/**
 * Bytes of a size as batch systems write it: `512`, `4096b`, `100kb`, `1.5G`, in powers of 1024. Null for anything
 * else, such as words of a machine (`10kw`) or a unit that its writer did not know (`16?`).
 */
export function parseBytes(text: string | undefined): number | null {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)([kmgtp]?)b?$/i.exec(text ?? '') ?? [];
  return amount === '' ? null : Math.round(Number(amount) * 1024 ** POWERS.indexOf(unit.toLowerCase()));
}

/** Seconds of `MM:SS`, `HH:MM:SS`, `D-HH:MM:SS` or a number alone, each with or without a fraction; null otherwise. */
export function parseCpuSeconds(text: string | undefined): number | null {
  const [, days = '0', clock] = /^(?:(\d+)-)?(\d+(?::\d+){0,2}(?:\.\d+)?)$/.exec(text ?? '') ?? [];
  if (clock === undefined) return null;
  return Number(days) * 86_400 + clock.split(':').reduce((total, part) => total * 60 + Number(part), 0);
}

/** The sum of what is told; null where nothing is. */
export function sumTold(amounts: readonly (number | null)[]): number | null {
  return fold(amounts, (sum, amount) => sum + amount);
}

/** The largest of what is told; null where nothing is. */
export function largestTold(amounts: readonly (number | null)[]): number | null {
  return fold(amounts, Math.max);
}

function fold(amounts: readonly (number | null)[], join: (a: number, b: number) => number): number | null {
  return amounts.reduce<number | null>(
    (so, amount) => (so === null || amount === null ? (so ?? amount) : join(so, amount)),
    null,
  );
}
