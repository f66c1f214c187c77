/** Seconds as hours, to the hundredth unless told, and to two digits where that would leave fewer. */
export function hours(seconds: number | null, digits = 2): number | null {
  const value = seconds === null ? null : seconds / 3600;
  const isSmall = value !== null && Math.abs(value) < 10 ** (1 - digits);
  return isSmall ? Number(value.toPrecision(2)) : rounded(value, digits);
}

export function rounded(value: number | null, digits: number): number | null {
  return value === null ? null : Math.round(value * 10 ** digits) / 10 ** digits;
}
