/**
 * How many of the first `length` indices come before what is looked for, where none comes before it behind one that
 * does not. O(log length).
 * @param isBefore says it of an index; asked for those from 0 to `length - 1` only
 */
export function partitionPoint(length: number, isBefore: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
