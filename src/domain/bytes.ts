const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'] as const;

/** Bytes in the largest decimal unit of which there is at least one: `512 B`, `1.4 GB`. */
export function formatBytes(bytes: number): string {
  let [value, power] = [bytes, 0];
  while (value >= ROUNDS_UP && power < UNITS.length - 1) [value, power] = [value / 1000, power + 1];
  return `${power === 0 ? Math.round(value) : value.toPrecision(3)} ${UNITS[power]}`;
}

/** From here on three digits would say 1000. */
const ROUNDS_UP = 999.5;
