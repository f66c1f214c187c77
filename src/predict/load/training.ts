/** When a method that learns in bulk does so, in slots. */
export const TRAINING_DEFAULTS = {
  /** It learns from so much at the first time, and again whenever as much has passed. */
  fitEverySlots: 8640,
  /** How often it learns at most; after that its parameters stay as they are. */
  mostFits: 1_000_000,
};
export type TrainingParameters = typeof TRAINING_DEFAULTS;

/** Counts slots and says when it is time to learn. */
export class Training {
  private from: number | null = null;
  private fits = 0;

  constructor(private readonly parameters: TrainingParameters) {}

  /** Whether what is known by the end of this slot is to be learned from. */
  isDueAfter(slot: number): boolean {
    this.from ??= slot;
    if (this.isOver || slot + 1 - this.from < this.parameters.fitEverySlots) return false;
    this.from = slot + 1;
    this.fits++;
    return true;
  }

  /** Whether nothing will be learned any more. */
  get isOver(): boolean {
    return this.fits >= this.parameters.mostFits;
  }
}
