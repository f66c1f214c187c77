import { medianSorted } from 'simple-statistics';
import { keepClass } from '../../domain/kept-classes.ts';
import { ridgeRegression } from '../../stats/ridge-regression.ts';

/** A job that ended, by the numbers of its text. */
interface NumberedRun {
  readonly numbers: ReadonlyMap<string, number>;
  /** On a logarithmic scale. */
  readonly value: number;
}

/** What the numbers of a text say. */
export interface FittedNumbers {
  readonly value: number;
  /** Median of what is left over of the runs. */
  readonly deviation: number;
  readonly runs: number;
}

/**
 * How what jobs come to depends on the numbers in their texts, of scripts that are the same but for those: a product of
 * powers of the most telling ones, as the work of most programs is of their steps and sizes. Runs that it does not fit
 * at all are left out.
 */
export class NumberFit {
  private readonly runs: NumberedRun[] = [];

  learn(numbers: ReadonlyMap<string, number>, value: number): void {
    this.runs.push({ numbers, value });
    if (this.runs.length > RUNS_KEPT) this.runs.shift();
  }

  /** Null before there are enough runs, and where no number varies. O(runs x numbers). */
  valueOf(numbers: ReadonlyMap<string, number>): FittedNumbers | null {
    if (this.runs.length < FEWEST_RUNS) return null;
    const telling = this.mostTelling(numbers);
    if (telling.length === 0) return null;
    let [kept, fit] = [this.runs, fitOf(this.runs, telling)];
    for (let pass = 0; pass < PASSES; pass++) {
      const cut = Math.max(LEAST_CUT, CUT * fit.deviation);
      const closer = this.runs.filter((run) => Math.abs(run.value - fit.value(run.numbers)) <= cut);
      if (closer.length <= 2 * telling.length) break;
      [kept, fit] = [closer, fitOf(closer, telling)];
    }
    const { value, deviation } = fit;
    const [least, most] = [Math.min(...kept.map(amountOf)), Math.max(...kept.map(amountOf))];
    const within = Math.min(most + BEYOND, Math.max(least - BEYOND, value(numbers)));
    return Number.isFinite(within) ? { value: within, deviation, runs: kept.length } : null;
  }

  /** Words whose numbers vary, are known of every run, and go with what the runs came to. */
  private mostTelling(asked: ReadonlyMap<string, number>): string[] {
    const values = this.runs.map(amountOf);
    const most = Math.min(MOST_TELLING, Math.floor(this.runs.length / 3));
    return Array.from(asked.keys(), (key) => ({ key, telling: this.correlation(key, values) }))
      .filter(({ telling }) => telling > 0)
      .sort((a, b) => b.telling - a.telling)
      .slice(0, most)
      .map(({ key }) => key);
  }

  /** Squared; 0 where it does not vary or is not known of every run. */
  private correlation(key: string, values: readonly number[]): number {
    const [count, logs] = [values.length, this.runs.map(({ numbers }) => logOf(numbers, key))];
    if (logs.some(Number.isNaN)) return 0;
    const [meanX, meanY] = [logs, values].map((all) => all.reduce((sum, one) => sum + one, 0) / count) as [
      number,
      number,
    ];
    let [xx, yy, xy] = [0, 0, 0];
    for (let i = 0; i < count; i++) {
      const [x, y] = [(logs[i] as number) - meanX, (values[i] as number) - meanY];
      [xx, yy, xy] = [xx + x * x, yy + y * y, xy + x * y];
    }
    if (xx <= 1e-9) return 0;
    return yy <= 1e-9 ? 1e-9 : Math.max(1e-9, (xy * xy) / (xx * yy));
  }
}

function fitOf(runs: readonly NumberedRun[], keys: readonly string[]) {
  const rowOf = (numbers: ReadonlyMap<string, number>) => keys.map((key) => logOf(numbers, key));
  const model = ridgeRegression(
    runs.flatMap(({ numbers }) => rowOf(numbers)),
    runs.map(amountOf),
    PENALTY,
  );
  const value = (numbers: ReadonlyMap<string, number>) => model.predict(rowOf(numbers));
  const left = runs.map((run) => Math.abs(run.value - value(run.numbers))).sort((a, b) => a - b);
  return { value, deviation: medianSorted(left) };
}

function amountOf({ value }: NumberedRun): number {
  return value;
}

function logOf(numbers: ReadonlyMap<string, number>, key: string): number {
  const number = numbers.get(key);
  return number === undefined ? Number.NaN : Math.log(1e-6 + Math.abs(number));
}

const RUNS_KEPT = 100;
const FEWEST_RUNS = 4;
const MOST_TELLING = 6;
const PENALTY = 1e-4;
const PASSES = 2;
const CUT = 4;
const LEAST_CUT = 0.1;
/** By so much, on the scale of logarithms, may it say more than the most or less than the least that was seen. */
const BEYOND = 0.7;

keepClass(NumberFit);
