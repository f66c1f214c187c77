/** Seconds as hours, to the hundredth. */
export function hours(seconds: number | null): number | null {
  return rounded(seconds === null ? null : seconds / 3600, 2);
}

export function rounded(value: number | null, digits: number): number | null {
  return value === null ? null : Math.round(value * 10 ** digits) / 10 ** digits;
}
