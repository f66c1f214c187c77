import { LEAST_MAX_RISK, type PlanTerms } from '../../domain/objective.ts';
import type { FaultList } from './faults.ts';
import { checkTags, type Placement } from './placement.ts';

/** What options are compared by and keep to, as a caller may say it. */
export type TermsInput = Omit<PlanTerms, 'requiredTags'> & Pick<Placement, 'requiredTags'>;

/** Adds what is wrong with the terms whatever the options are like. `path` is where they sit in the input. */
export function checkTerms(faults: FaultList, terms: TermsInput, path: string): void {
  const { maxChargeProcessorSeconds = null, maxRisk = null, requiredTags = [] } = terms;
  checkTags(faults, requiredTags, `${path}.requiredTags`);
  const isCharge = maxChargeProcessorSeconds === null || maxChargeProcessorSeconds > 0;
  const charge = `maxChargeProcessorSeconds must be above 0, got ${maxChargeProcessorSeconds}`;
  faults.require(isCharge, `${path}.maxChargeProcessorSeconds`, charge);
  const isRisk = maxRisk === null || (maxRisk >= LEAST_MAX_RISK && maxRisk < 1);
  const risk = `maxRisk lies from ${LEAST_MAX_RISK} to below 1, got ${maxRisk}; forecasts tell no smaller risk`;
  faults.require(isRisk, `${path}.maxRisk`, risk);
}

/** The terms alone, of whatever carries them. */
export function termsOf({
  objective = 'EARLIEST_FINISH',
  maxChargeProcessorSeconds = null,
  maxRisk = null,
  requiredTags = [],
}: TermsInput): Required<TermsInput> {
  return { objective, maxChargeProcessorSeconds, maxRisk, requiredTags };
}
