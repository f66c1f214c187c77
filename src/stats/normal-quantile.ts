/**
 * The value that a standard normal variable does not exceed with the given probability, to about seven digits.
 *
 * Method: rational approximations on three ranges. Source: Wichura, Algorithm AS 241 (PPND7), Applied Statistics 37
 * (1988).
 * @param probability within (0, 1); 0 and 1 give the infinities
 */
export function normalQuantile(probability: number): number {
  if (probability <= 0) return Number.NEGATIVE_INFINITY;
  if (probability >= 1) return Number.POSITIVE_INFINITY;
  const q = probability - 0.5;
  if (Math.abs(q) <= 0.425) return central(q);
  const r = Math.sqrt(-Math.log(q < 0 ? probability : 1 - probability));
  return q < 0 ? -tail(r) : tail(r);
}

function central(q: number): number {
  const r = 0.180625 - q * q;
  return (
    (q * (((59.10937472 * r + 159.29113202) * r + 50.434271938) * r + 3.3871327179)) /
    (((67.1875636 * r + 78.757757664) * r + 17.895169469) * r + 1)
  );
}

function tail(root: number): number {
  if (root <= 5) {
    const r = root - 1.6;
    return (
      (((0.17023821103 * r + 1.3067284816) * r + 2.75681539) * r + 1.4234372777) /
      ((0.12021132975 * r + 0.7370016425) * r + 1)
    );
  }
  const r = root - 5;
  return (
    (((0.017337203997 * r + 0.42868294337) * r + 3.081226386) * r + 6.657905115) /
    ((0.012258202635 * r + 0.24197894225) * r + 1)
  );
}
