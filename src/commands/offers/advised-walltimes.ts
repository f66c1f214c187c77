import type { LossReason } from '../../domain/loss-reason.ts';
import { LARGEST_RISK, LEAST_RISK } from '../../plan/job/walltime.ts';
import type { FaultList } from '../input/faults.ts';

/** Adds a fault unless it is a risk that an automatic walltime may have. */
export function checkRisk(faults: FaultList, risk: number, field: string): void {
  const valid = risk >= LEAST_RISK && risk <= LARGEST_RISK;
  faults.require(valid, field, `a risk of being killed lies between ${LEAST_RISK} and ${LARGEST_RISK}, got ${risk}`);
}

/** The field to change of a request whose walltime is automatic. */
export const AUTO_FIELDS: Partial<Record<LossReason, string>> = {
  RUNTIME_UNKNOWN: 'walltime',
  WALLTIME_BEYOND_LIMIT: 'walltimeRisk',
};
