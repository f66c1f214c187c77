import { keepClass } from '../domain/kept-classes.ts';
import type { BoostedTrees } from './boosted-trees.ts';
import { LeafLikeness } from './leaf-likeness.ts';

/**
 * Boosted trees and how alike they find the rows that they were grown on, when the caller has the time: first the trees
 * are grown, then it is noted who lies in which of their leaves.
 */
export class GrownLikeness {
  private likeness: LeafLikeness | null = null;

  /**
   * @param trees not grown yet
   * @param values row after row of features, let go of once all is grown
   * @param rows how many, at least one
   */
  constructor(
    private readonly trees: BoostedTrees,
    private values: Float32Array,
    private readonly rows: number,
  ) {}

  get isGrown(): boolean {
    return this.likeness?.isBuilt ?? false;
  }

  /** Goes on until about so many values were looked at, or until all is grown. */
  grow(values?: number): void {
    if (!this.trees.isGrown) {
      this.trees.grow(values);
      return;
    }
    this.likeness ??= new LeafLikeness(this.trees, this.values, this.rows);
    this.likeness.build(values);
    if (this.isGrown) this.values = NO_ROWS;
  }

  /**
   * As `LeafLikeness` counts.
   * @throws Error before all is grown
   */
  countsFor(leaves: Int32Array): Uint16Array {
    if (!this.likeness || !this.isGrown) throw new Error('asked before the trees were grown');
    return this.likeness.countsFor(leaves);
  }
}

const NO_ROWS = new Float32Array(0);

keepClass(GrownLikeness);
