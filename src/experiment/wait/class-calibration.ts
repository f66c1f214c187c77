/** Levels whose coming true is asked of every class of jobs. */
export const CLASS_LEVELS = [0.5, 0.8, 0.9, 0.95] as const;

/** Smaller classes say nothing: two standard errors are more than four points there. */
export const LEAST_CLASS_JOBS = 500;

/** How the levels came true in one class of jobs. */
export interface ClassCalibration {
  readonly name: string;
  readonly jobs: number;
  /** Share of the waits within each of `CLASS_LEVELS`. */
  readonly shares: readonly number[];
  /** The largest difference of a share from its level, in points, with its sign. */
  readonly deviationPoints: number;
}

/**
 * Collects forecasts by classes of jobs. A wait that equals several percentiles, as where many start at once, counts
 * for the part of that stretch which a level covers: the expected value of the randomised probability integral
 * transform (Czado, Gneiting and Held, Predictive model assessment for count data, Biometrics 65 (2009)).
 */
export class ClassCalibrations {
  private readonly classes = new Map<string, { jobs: number; covered: number[] }>();

  add(classes: readonly string[], quantileSeconds: readonly number[], waitSeconds: number): void {
    const covered = CLASS_LEVELS.map((level) => shareWithin(quantileSeconds, waitSeconds, level));
    for (const name of classes) {
      const one = this.classes.get(name) ?? { jobs: 0, covered: CLASS_LEVELS.map(() => 0) };
      one.jobs++;
      one.covered = one.covered.map((sum, i) => sum + (covered[i] as number));
      this.classes.set(name, one);
    }
  }

  /** The classes that are large enough to tell, the worst first. */
  worstFirst(): ClassCalibration[] {
    return [...this.classes]
      .filter(([, { jobs }]) => jobs >= LEAST_CLASS_JOBS)
      .map(([name, { jobs, covered }]) => {
        const shares = covered.map((sum) => sum / jobs);
        const off = shares.map((share, i) => 100 * (share - (CLASS_LEVELS[i] as number)));
        const deviationPoints = off.reduce((worst, one) => (Math.abs(one) > Math.abs(worst) ? one : worst), 0);
        return { name, jobs, shares, deviationPoints };
      })
      .sort((one, other) => Math.abs(other.deviationPoints) - Math.abs(one.deviationPoints));
  }
}

/** 1 for a wait within the level, 0 for one beyond it, the part of the stretch where the percentiles equal the wait. */
function shareWithin(quantileSeconds: readonly number[], waitSeconds: number, level: number): number {
  const index = Math.round(level * 100) - 1;
  const bound = quantileSeconds[index] as number;
  if (bound !== waitSeconds) return waitSeconds < bound ? 1 : 0;
  const first = quantileSeconds.indexOf(waitSeconds);
  const last = quantileSeconds.lastIndexOf(waitSeconds);
  return (index - first + 1) / (last - first + 1);
}
