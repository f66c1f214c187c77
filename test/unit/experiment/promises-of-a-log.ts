import { expect } from 'vitest';
import type { ExperimentRow } from '../../../src/experiment/experiment.ts';

/** How the reservation experiment is run on a generated log. */
export const PROMISES = {
  predictors: 'wait/gridcast',
  recomputeSeconds: 900,
  snapshotSeconds: 600,
  retrySeconds: 900,
};

/** A generated log of so many jobs on 64 processors, of which `load` are busy on average. */
export function generatedLog(load: number, jobs: number) {
  return { generated: { seed: 5, load, processors: 64, jobs } };
}

/** Every probability has a row of the paper and one of ours, and about half of the scored jobs became reservations. */
export function expectShareOfHalf(rows: readonly ExperimentRow[], scoredJobs: number): void {
  expect(rows.map(({ name }) => name)).toEqual([
    ...[0.5, 0.75, 0.95].map((p) => `paper/p${p}/share50`),
    ...[0.5, 0.75, 0.95].map((p) => `wait/gridcast/p${p}/share50`),
  ]);
  // Four standard deviations of as many tosses of a coin.
  const tolerance = 2 * Math.sqrt(scoredJobs);
  for (const { accepted, refusals, withheld } of rows.slice(3)) {
    const asked = Number(accepted) + Number(refusals) + Number(withheld);
    expect(Math.abs(asked - scoredJobs / 2)).toBeLessThan(tolerance);
  }
}
