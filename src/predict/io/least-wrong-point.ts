/** What may be said of an amount, by who says it; on a logarithmic scale. */
export type Points = Readonly<Record<Way, number>>;
type Way = (typeof WAYS)[number];

/** The first where they have been as wrong. */
const WAYS = ['guess', 'middle', 'trees'] as const;

/** Which way to say an amount has been least wrong lately, relatively. O(1) for each. */
export class LeastWrongPoint {
  private readonly errors: Record<Way, number> = { guess: 0, middle: 0, trees: 0 };
  private known = 0;

  best(points: Points): number {
    return points[WAYS.reduce((best, way) => (this.errors[way] < this.errors[best] ? way : best))];
  }

  learn(points: Points, actual: number): void {
    const step = Math.max(STEP, 1 / ++this.known);
    for (const way of WAYS) {
      const error = 1 - Math.exp(-Math.abs(points[way] - actual));
      this.errors[way] += step * (error - this.errors[way]);
    }
  }
}

const STEP = 0.01;
