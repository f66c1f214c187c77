import { chainsExperiment } from './chains/chains.ts';
import { coAllocationExperiment } from './co-allocation/co-allocation.ts';
import { deadlineExperiment } from './deadline/deadline.ts';
import { delayExperiment } from './delay/delay.ts';
import { downTimeExperiment } from './down-time/down-time.ts';
import { driftExperiment } from './drift/drift.ts';
import type { Experiment } from './experiment.ts';
import { ioExperiment } from './io/io.ts';
import { loadExperiment } from './load/load.ts';
import { moldingExperiment } from './molding/molding.ts';
import { policiesExperiment } from './policies/policies.ts';
import { resourcesExperiment } from './resources/resources.ts';
import { runtimeExperiment } from './runtime/runtime.ts';
import { scriptsExperiment } from './scripts/scripts.ts';
import { sitesExperiment } from './sites/sites.ts';
import { turnaroundExperiment } from './turnaround/turnaround.ts';
import { varqExperiment } from './varq/varq.ts';
import { waitExperiment } from './wait/wait.ts';
import { walltimeExperiment } from './walltime/walltime.ts';

/** Every experiment. A new one is a line here. */
export const EXPERIMENTS: readonly Experiment[] = [
  policiesExperiment,
  waitExperiment,
  runtimeExperiment,
  scriptsExperiment,
  walltimeExperiment,
  delayExperiment,
  loadExperiment,
  varqExperiment,
  coAllocationExperiment,
  deadlineExperiment,
  downTimeExperiment,
  driftExperiment,
  moldingExperiment,
  sitesExperiment,
  chainsExperiment,
  turnaroundExperiment,
  ioExperiment,
  resourcesExperiment,
];

/** An experiment by name. Throws a `RangeError` that lists the names when there is none. */
export function experimentNamed(name: string): Experiment {
  const known = EXPERIMENTS.find((experiment) => experiment.name === name);
  if (!known) throw new RangeError(`no experiment ${name}; there are ${EXPERIMENTS.map((one) => one.name).join(', ')}`);
  return known;
}
