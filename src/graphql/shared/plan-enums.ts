import { LOSS_REASONS } from '../../domain/loss-reason.ts';
import { OBJECTIVES } from '../../domain/objective.ts';
import { defineEnum } from './define-enum.ts';

export const ObjectiveEnum = defineEnum('Objective', OBJECTIVES, 'What the way in which a job is run is best at.', {
  EARLIEST_FINISH: 'It is predicted to be over first.',
  EARLIEST_START: 'It is predicted to start first; of equal starts the one that is over first.',
  LEAST_CHARGE:
    'It is charged least at its walltime, expected padding included; of equal charges the one that is over first.',
});

export const LossReasonEnum = defineEnum('LossReason', LOSS_REASONS, 'Why an option was not chosen.', {
  SLOWER: 'It is predicted to be over later than the chosen one.',
  STARTS_LATER: 'It is predicted to start later than the chosen one, where that was to be first.',
  OTHER_TASKS_FIRST: 'Other tasks of the array are given to it before this one.',
  COSTLIER: 'It is charged more than the chosen one, where that decides.',
  CHARGE_BEYOND_LIMIT: 'It may be charged more than maxChargeProcessorSeconds.',
  RISK_BEYOND_LIMIT: 'Its risk is larger than maxRisk, or not known.',
  MISSING_TAG: 'Its site does not bear all of requiredTags.',
  LACKS_RESOURCES: 'Its site, or that queue of it, has not got what it asks for: memory, GPUs, features, licences.',
  NOT_HONOURED:
    'It asks for something by a name that its site does not honour, or for a file out of no folder in stagingSources.',
  NO_IDENTITY: 'Every tenant has an account of its own at the site, and this one has none.',
  IDENTITY_FAULT: "The tenant's account there does not work just now.",
});
