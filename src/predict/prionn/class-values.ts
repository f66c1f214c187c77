import { QUANTILE_COUNT } from '../../domain/forecast.ts';
import { type Keeping, keepClass } from '../../domain/kept-classes.ts';
import { type Classes, HEADS } from './classes.ts';

/** What is known of the values in each class, from the jobs that a network was taught. */
export class ClassValues {
  /** Known values in all. */
  readonly count: number;
  /** How often each class came, of all values. */
  readonly shares: Float64Array;
  private readonly usual = new Map<number, number>();
  private readonly highest: number;

  /** Classes are kept by the place of their head: they are functions. */
  static readonly keeping: Keeping<ClassValues> = {
    save: ({ classes, ...kept }) => ({ ...kept, head: HEADS.indexOf(classes) }),
    load(one, saved) {
      const { head, ...kept } = saved as { readonly head: number };
      Object.assign(one, kept, { classes: HEADS[head] });
    },
  };

  constructor(
    private readonly classes: Classes,
    values: readonly number[],
  ) {
    this.count = values.length;
    const rising = values.toSorted((a, b) => a - b);
    this.highest = rising.at(-1) ?? 0;
    this.shares = new Float64Array(classes.count);
    let from = 0;
    for (let i = 1; i <= rising.length; i++) {
      const index = classes.of(rising[from] as number);
      if (i < rising.length && classes.of(rising[i] as number) === index) continue;
      this.usual.set(index, rising[Math.floor((from + i - 1) / 2)] as number);
      this.shares[index] = (i - from) / rising.length;
      from = i;
    }
  }

  /** A usual value of the most probable class: the median of the known ones, else its middle. */
  likely(probabilities: Float64Array): number {
    let most = 0;
    for (let i = 1; i < probabilities.length; i++) {
      if ((probabilities[i] as number) > (probabilities[most] as number)) most = i;
    }
    return this.usual.get(most) ?? (this.classes.from(most) + this.end(most)) / 2;
  }

  /** The percentiles 1 to 99; within a class each value is as probable. */
  percentiles(probabilities: Float64Array): number[] {
    const percentiles: number[] = [];
    let before = 0;
    for (const [index, probability] of probabilities.entries()) {
      const [from, end] = [this.classes.from(index), this.end(index)];
      while (percentiles.length < QUANTILE_COUNT) {
        const beyond = (percentiles.length + 1) / 100 - before;
        if (beyond > probability) break;
        percentiles.push(probability > 0 ? from + ((end - from) * beyond) / probability : from);
      }
      before += probability;
    }
    // What rounding leaves over.
    while (percentiles.length < QUANTILE_COUNT) percentiles.push(this.end(probabilities.length - 1));
    return percentiles;
  }

  private end(index: number): number {
    const end = this.classes.from(index + 1);
    return index === this.classes.count - 1 ? Math.max(end, this.highest) : end;
  }
}

keepClass(ClassValues, ClassValues.keeping);
