import { measure } from '../../sim/metrics.ts';
import { POLICIES, POLICY_NAMES, policyNamed, TIE_RULES, type TieRule } from '../../sim/policy.ts';
import { simulate } from '../../sim/simulate.ts';
import type { Experiment, ParameterValue } from '../experiment.ts';
import { machineOf } from '../simulate.ts';

/** One log under several scheduling policies. */
export const policiesExperiment: Experiment = {
  name: 'policies',
  describe: 'what a log would have waited under each scheduling policy',
  parameters: { policies: POLICY_NAMES.join(','), ties: 'ends-first', processors: 0 },
  parts: ({ policies }) => String(policies).split(',').map(policyNamed),
  runPart(part, { workload, parameters, onProgress }) {
    const processors = machineOf(workload, Number(parameters.processors) || undefined);
    const simulation = simulate(workload, {
      processors,
      policy: POLICIES[policyNamed(part)],
      ties: tiesNamed(parameters.ties),
      onProgress,
    });
    const { jobs, meanWaitSeconds, meanBoundedSlowdown, utilization, makespanSeconds } = measure(simulation);
    return [{ name: `policy/${part}`, jobs, meanWaitSeconds, meanBoundedSlowdown, utilization, makespanSeconds }];
  },
};

function tiesNamed(name: ParameterValue | undefined): TieRule {
  const known = TIE_RULES.find((rule) => rule === name);
  if (!known) throw new RangeError(`no tie rule ${name}; there are ${TIE_RULES.join(', ')}`);
  return known;
}
