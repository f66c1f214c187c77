import { Matrix, solve } from 'ml-matrix';

/** The shapes of section III-B of dinh-per-user-workload-prediction: eq. 3, eq. 4 and eq. 5. */
export const HAZARD_SHAPES = ['gamma', 'weibull', 'empirical'] as const;
export type HazardShape = (typeof HAZARD_SHAPES)[number];

/** A hazard by age in slots: of bins, or e^(constant - decay age) age^power. */
export type HazardCurve =
  | { readonly bins: readonly HazardBin[] }
  | { readonly constant: number; readonly power: number; readonly decay: number };

/** Inter-arrival times from `from` up to and without `to` slots, and the share of them and of longer ones a slot. */
interface HazardBin {
  readonly from: number;
  readonly to: number;
  readonly hazard: number;
}

/**
 * The hazard of inter-arrival times: empirical on bins of about two samples, or a curve through these by least squares
 * of the logarithms, each bin alike: k/a (t/a)^(k-1) of Weibull, or a t^b e^(-ct), which is Weibull's where c would be
 * below 0 and the hazard grow without end.
 * @param gaps whole slots, in any order; without any the hazard is 0
 */
export function hazardCurve(gaps: readonly number[], shape: HazardShape): HazardCurve {
  const bins = binsOf(gaps);
  if (shape === 'empirical' || bins.length < FEWEST_BINS) return { bins };
  const fitted = logLeastSquares(bins, shape);
  const [constant, power, decay] = fitted[2] < 0 ? logLeastSquares(bins, 'weibull') : fitted;
  return { constant, power, decay };
}

/** Within 0 to 1. */
export function hazardAt(curve: HazardCurve, age: number): number {
  if ('bins' in curve) return within(curve.bins.find(({ to }) => age < to)?.hazard ?? 0);
  return within(Math.exp(curve.constant + curve.power * Math.log(age) - curve.decay * age));
}

function binsOf(gaps: readonly number[]): HazardBin[] {
  const sorted = [...gaps].sort((a, b) => a - b);
  const bins: HazardBin[] = [];
  let from = 0;
  for (let first = 0; first < sorted.length; ) {
    const to = (sorted[Math.min(sorted.length - 1, first + SAMPLES_PER_BIN - 1)] as number) + 1;
    let end = first;
    while (end < sorted.length && (sorted[end] as number) < to) end++;
    bins.push({ from, to, hazard: (end - first) / ((to - from) * (sorted.length - first)) });
    [from, first] = [to, end];
  }
  return bins;
}

function logLeastSquares(bins: readonly HazardBin[], shape: HazardShape): [number, number, number] {
  const rows = bins.map(({ from, to }) => {
    const age = Math.max(1, (from + to - 1) / 2);
    return shape === 'gamma' ? [1, Math.log(age), -age] : [1, Math.log(age)];
  });
  const design = new Matrix(rows);
  const gram = design.transpose().mmul(design);
  for (let i = 0; i < gram.rows; i++) gram.set(i, i, gram.get(i, i) * (1 + RELATIVE_RIDGE));
  const right = design.transpose().mmul(Matrix.columnVector(bins.map(({ hazard }) => Math.log(hazard))));
  const [constant = 0, power = 0, decay = 0] = solve(gram, right).to1DArray();
  return [constant, power, decay];
}

/** A probability; 0 in place of what is not a number. */
function within(hazard: number): number {
  return hazard > 0 ? Math.min(1, hazard) : 0;
}

const SAMPLES_PER_BIN = 2;
/** Fewer tell no shape of three parameters. */
const FEWEST_BINS = 4;
const RELATIVE_RIDGE = 1e-9;
