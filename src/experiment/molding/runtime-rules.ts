import type { SimulatedJob } from '../../sim/job-table.ts';
import type { RandomStream } from '../../sim/random.ts';
import { drawnRuntime, percentilesOfRuns, type RunsAtSize } from './user-runs.ts';

/** A size that a job may be given, as it is known before it has run. */
export interface SizeOption {
  readonly processors: number;
  readonly walltimeSeconds: number;
  /** Percentiles 1 to 99 of its runtime. */
  readonly runQuantileSeconds: readonly number[];
}

/** What becomes of a job's walltime and runtime at another size. */
export interface MoldedRuntimeRule {
  readonly name: 'drawn' | 'strict';
  /** @param own as it was submitted */
  optionAt(own: SizeOption, runs: RunsAtSize, limitSeconds: number): SizeOption | null;
  /** The job as it runs at a size other than its own. */
  reshape(job: SimulatedJob, option: SizeOption, runs: RunsAtSize, random: RandomStream): SimulatedJob;
}

/**
 * Section VI-C of hariharan-end-to-end-predictions: the runtime is one that the user's jobs had at that size, whatever
 * this job does, drawn by a roulette wheel. The walltime is the longest he requested there for a smaller size, within
 * the system's limit, where that is more; else it stays. It is never below the drawn runtime: nobody is killed early.
 */
export const DRAWN: MoldedRuntimeRule = {
  name: 'drawn',
  optionAt(own, runs, limitSeconds) {
    const longest = Math.min(runs.longestWalltimeSeconds, limitSeconds);
    const isSmaller = runs.processors < own.processors;
    const walltimeSeconds = isSmaller ? Math.max(own.walltimeSeconds, longest) : own.walltimeSeconds;
    return { processors: runs.processors, walltimeSeconds, runQuantileSeconds: percentilesOfRuns(runs) };
  },
  reshape(job, { processors, walltimeSeconds }, runs, random) {
    const runSeconds = drawnRuntime(runs, random);
    return { ...job, processors, runSeconds, walltimeSeconds: Math.max(walltimeSeconds, runSeconds) };
  },
};

/**
 * Work is conserved: a job that takes so many processor-seconds takes as many on fewer processors, and on more ones a
 * share more for every doubling. Runtime and walltime follow. No size is offered whose walltime nobody ever asked for.
 * @param growth of the work for each doubling of the size, for example .1
 */
export function strictRule(growth: number): MoldedRuntimeRule {
  const stretch = (from: number, to: number) => (from / to) * (to > from ? (1 + growth) ** Math.log2(to / from) : 1);
  return {
    name: 'strict',
    optionAt(own, { processors }, limitSeconds) {
      const factor = stretch(own.processors, processors);
      const walltimeSeconds = Math.max(1, Math.ceil(own.walltimeSeconds * factor));
      if (factor > 1 && walltimeSeconds > limitSeconds) return null;
      const runQuantileSeconds = own.runQuantileSeconds.map((seconds) => seconds * factor);
      return { processors, walltimeSeconds, runQuantileSeconds };
    },
    reshape(job, { processors, walltimeSeconds }) {
      return { ...job, processors, walltimeSeconds, runSeconds: job.runSeconds * stretch(job.processors, processors) };
    },
  };
}
