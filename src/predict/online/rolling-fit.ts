import { ExampleColumns, type ExampleRow } from './example-columns.ts';

/** A model that is fitted a little at a time. */
export interface GrowingModel {
  readonly isGrown: boolean;
  /** Goes on until about so many values were looked at, or until it is grown. */
  grow(values?: number): void;
}

/** How often a model is fitted anew, and to how much. */
export interface RollingFitParameters {
  /** The most recent examples that are learned from. */
  readonly capacity: number;
  /** Examples before the first fit. */
  readonly fewestExamples: number;
  /** Further examples after which it is fitted anew. */
  readonly fitEvery: number;
  /** Share of the examples there are that must be new while these are few; a third unless told. */
  readonly newShare?: number;
}

/**
 * A model fitted anew every so often to the most recent examples, in small steps so that nobody waits for it: until a
 * fit is finished the last one answers.
 */
export abstract class RollingFit<Example, Model extends GrowingModel> {
  private readonly examples: ExampleColumns;
  private unfitted = 0;
  private fits = 0;
  private growing: Model | null = null;
  private grown: Model | null = null;
  /** How many examples these two rest on. */
  private growingOn = 0;
  private grownOn = 0;
  private isLeftToOthers = false;

  /** @param numbers that an example has beside its features */
  constructor(
    private readonly rolling: RollingFitParameters,
    numbers: number,
  ) {
    this.examples = new ExampleColumns(numbers);
  }

  get isFitted(): boolean {
    return this.grown !== null;
  }

  /** How many examples the last finished fit rests on; 0 before the first. */
  get size(): number {
    return this.grownOn;
  }

  /** Forgets all examples and fits nothing any more: somebody else does. The last finished fit answers on. */
  leaveToOthers(): void {
    this.isLeftToOthers = true;
    this.examples.keepNewest(0);
    this.growing = null;
  }

  /** Forgets what it was fitted to as well: nobody will ask it any more. */
  retire(): void {
    this.leaveToOthers();
    this.grown = null;
    this.grownOn = 0;
  }

  /** True once enough has been learned to begin a fit. */
  get isDue(): boolean {
    return this.isDueAfter();
  }

  /** The same with so many further examples before a model is fitted anew, if those are fewer. */
  isDueAfter(furtherExamples = Number.POSITIVE_INFINITY): boolean {
    const { fewestExamples, fitEvery, newShare = 1 / 3 } = this.rolling;
    if (this.growing || this.isLeftToOthers) return false;
    if (!this.grown) return this.examples.length >= fewestExamples;
    return this.unfitted >= Math.min(furtherExamples, fitEvery, this.examples.length * newShare);
  }

  learn(example: Example): void {
    if (this.isLeftToOthers) return;
    this.examples.push(this.featuresOf(example), this.numbersOf(example));
    this.unfitted++;
    this.examples.keepNewest(this.rolling.capacity);
  }

  /** Takes the next step of a fit that was begun: some tens of milliseconds. */
  continueFit(): void {
    if (!this.growing) return;
    this.growing.grow(VALUES_OF_A_STEP);
    if (!this.growing.isGrown) return;
    this.grown = this.growing;
    this.grownOn = this.growingOn;
    this.growing = null;
  }

  /** Finishes a fit that was begun. */
  finishFit(): void {
    while (this.growing) this.continueFit();
  }

  /** The last finished fit; null before the first. */
  protected get model(): Model | null {
    return this.grown;
  }

  /** The features of an example. */
  protected abstract featuresOf(example: Example): Float32Array;

  /** What an example has beside its features. */
  protected abstract numbersOf(example: Example): readonly number[];

  /** The example again. */
  protected abstract exampleOf(row: ExampleRow): Example;

  /** Begins a fit. @param modelOf the model to be grown on the examples, with a seed of its own */
  protected begin(modelOf: (examples: Example[], seed: number) => Model): void {
    const examples = this.examples.newest(this.rolling.capacity).map((row) => this.exampleOf(row));
    this.growing = modelOf(examples, ++this.fits);
    this.growingOn = examples.length;
    this.unfitted = 0;
  }
}

/** That are looked at in one step of a fit, at about 7 ns each. */
const VALUES_OF_A_STEP = 4_000_000;
