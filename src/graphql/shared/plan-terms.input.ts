import type { TermsInput } from '../../commands/input/plan-terms.ts';
import type { Objective } from '../../domain/objective.ts';

/** What inputs say by what the ways to run a job are compared, and what they keep to. */
export interface TermsFields {
  readonly objective: Objective;
  readonly maxChargeProcessorSeconds?: number | null;
  readonly maxRisk?: number | null;
}

export const OBJECTIVE = 'What the way in which it is run is to be best at.';

export const MAX_CHARGE =
  'Most that it may be charged in the worst case, in processor-seconds, padding included; any when absent.';

export const MAX_RISK =
  'Largest risk, from 0.01 to below 1: the probability, by the forecasts of its wait and its runtime, that its walltime kills it or, with a deadline, that it has not ended by then. What is not known well enough to tell is not taken. Any when absent.';

/** The terms in the words of the commands, without what is not said. */
export function toTerms({ objective, maxChargeProcessorSeconds, maxRisk }: TermsFields): TermsInput {
  return {
    ...(objective !== 'EARLIEST_FINISH' && { objective }),
    ...(maxChargeProcessorSeconds != null && { maxChargeProcessorSeconds }),
    ...(maxRisk != null && { maxRisk }),
  };
}
