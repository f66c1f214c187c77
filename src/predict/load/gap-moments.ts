import { keepClass } from '../../domain/kept-classes.ts';
/** Means and deviations of inter-arrival times, and of their squares, kept up in O(1). */
export class GapMoments {
  private count = 0;
  private sum = 0;
  private squares = 0;
  private fourths = 0;

  /** @param gap in slots */
  add(gap: number): void {
    this.count++;
    this.sum += gap;
    this.squares += gap ** 2;
    this.fourths += gap ** 4;
  }

  /** Mean and deviation of the gaps, then of their squares; zeros without any. */
  features(): number[] {
    if (this.count === 0) return [0, 0, 0, 0];
    const [mean, meanSquare, meanFourth] = [this.sum, this.squares, this.fourths].map((sum) => sum / this.count) as [
      number,
      number,
      number,
    ];
    const deviation = Math.sqrt(Math.max(0, meanSquare - mean ** 2));
    return [mean, deviation, meanSquare, Math.sqrt(Math.max(0, meanFourth - meanSquare ** 2))];
  }
}

keepClass(GapMoments);
