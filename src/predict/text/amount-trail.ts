import { median } from 'simple-statistics';
import { keepClass } from '../../domain/kept-classes.ts';

/** What the last jobs of a group came to, on a logarithmic scale. O(1) for each. */
export class AmountTrail {
  /** How many are known. */
  count = 0;
  /** Exponentially weighted; not-a-number before the first. */
  mean = Number.NaN;
  lastAt = Number.NaN;
  /** Always as long as what it holds: of most groups that is one value. */
  private recent: readonly number[] = [];

  learn(value: number, at: number): void {
    const step = Math.max(STEP, 1 / ++this.count);
    this.mean = Number.isNaN(this.mean) ? value : this.mean + step * (value - this.mean);
    this.lastAt = at;
    this.recent = [...(this.recent.length === KEPT ? this.recent.slice(1) : this.recent), value];
  }

  /** So many ago, 1 for the last; not-a-number where there is none. */
  value(ago: number): number {
    return this.recent.at(-ago) ?? Number.NaN;
  }

  /** Of the last ten; not-a-number before the first. */
  median(): number {
    return this.recent.length === 0 ? Number.NaN : median([...this.recent]);
  }

  /** How far the last ten are apart. */
  range(): number {
    return this.recent.length === 0 ? Number.NaN : Math.max(...this.recent) - Math.min(...this.recent);
  }
}

const STEP = 0.2;
const KEPT = 10;

keepClass(AmountTrail);
