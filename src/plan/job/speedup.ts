import type { SpeedupModel } from '../../domain/job-sizes.ts';

/**
 * How many times faster than on one processor a job runs.
 * @param processors from 1 on
 * @throws RangeError for a model whose parameters cannot be
 */
export function speedupOn(model: SpeedupModel, processors: number): number {
  const fault = speedupFault(model);
  if (fault) throw new RangeError(`${fault.field} ${fault.problem}`);
  if (model.kind === 'DOWNEY') return downeySpeedup(model.averageParallelism, model.sigma, processors);
  return 1 / (model.serialShare + (1 - model.serialShare) / processors);
}

/** A known runtime at a size. */
export interface RunAtSize {
  readonly runSeconds: number;
  readonly processors: number;
}

/**
 * How long a job runs on another number of processors, by a model of its speedup.
 * @throws RangeError for a model whose parameters cannot be
 */
export function runtimeAtSize(model: SpeedupModel, known: RunAtSize, processors: number): number {
  return (known.runSeconds * speedupOn(model, known.processors)) / speedupOn(model, processors);
}

/** The first parameter of a model that cannot be, and what it must be; null where all can. */
export function speedupFault(model: SpeedupModel): { readonly field: string; readonly problem: string } | null {
  if (model.kind === 'AMDAHL') {
    const { serialShare } = model;
    if (serialShare >= 0 && serialShare <= 1) return null;
    return { field: 'serialShare', problem: `must be from 0 to 1, not ${serialShare}` };
  }
  const { averageParallelism, sigma } = model;
  if (!(averageParallelism >= 1 && Number.isFinite(averageParallelism))) {
    return { field: 'averageParallelism', problem: `must be a number from 1 on, not ${averageParallelism}` };
  }
  if (sigma >= 0 && Number.isFinite(sigma)) return null;
  return { field: 'sigma', problem: `must be a number from 0 on, not ${sigma}` };
}

/** Equations 6 (low variance, sigma up to 1) and 8 (high variance) of Downey 1997. */
function downeySpeedup(A: number, sigma: number, n: number): number {
  if (sigma > 1) {
    return n < A + A * sigma - sigma ? (n * A * (sigma + 1)) / (sigma * (n + A - 1) + A) : A;
  }
  if (n <= A) return (A * n) / (A + (sigma / 2) * (n - 1));
  return n < 2 * A - 1 ? (A * n) / (sigma * (A - 0.5) + n * (1 - sigma / 2)) : A;
}
