import type { Experiment } from '../experiment.ts';
import { experimentNamed } from '../registry.ts';
import { validationExperiment } from '../tune/validation.ts';

/** Whose parts can be computed apart: an experiment by name, or the measurements of a tuning. @throws RangeError */
export function partExperiment(name: string): Experiment {
  return name === validationExperiment.name ? validationExperiment : experimentNamed(name);
}
