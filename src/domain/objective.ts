/** What the chosen way to run a job is to be best at. */
export const OBJECTIVES = ['EARLIEST_FINISH', 'EARLIEST_START', 'LEAST_CHARGE'] as const;
export type Objective = (typeof OBJECTIVES)[number];

/** What options are compared by, and what an option has to keep to. */
export interface PlanTerms {
  /** Earliest finish where it is absent. */
  readonly objective?: Objective;
  /** Most that an option may be charged in the worst case, padding included; null or absent for any. */
  readonly maxChargeProcessorSeconds?: number | null;
  /** Largest risk of an option, see `riskOf`, within (0, 1); null or absent for any. */
  readonly maxRisk?: number | null;
  /** Tags that a site must bear; any site unless told. */
  readonly requiredTags?: readonly string[];
}

/** Risks that can be told from 99 percentiles. */
export const LEAST_MAX_RISK = 0.01;
