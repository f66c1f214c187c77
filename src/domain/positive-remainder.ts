/** What is left of a value, which may be negative, by a divisor above 0: from 0 up to the divisor, without it. */
export function positiveRemainder(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
