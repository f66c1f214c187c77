import { faultSentence } from '../../domain/failures.ts';
import type { CandidateSite } from '../../domain/plan.ts';
import type { Ineligibility } from '../unusable.ts';

/** Why a site takes nothing of whoever asks, for want of an account there; null where it has one, or needs none. */
export function findNoIdentity({ name, identity }: CandidateSite): Ineligibility | null {
  if (identity?.user !== undefined || identity === undefined) return null;
  return { reason: 'NO_IDENTITY', explanation: `${name} has no account for this tenant; ask its admins for one` };
}

/** The same while its account there does not work. */
export function findIdentityFault({ name, identity }: CandidateSite): Ineligibility | null {
  const fault = identity?.fault ?? null;
  if (fault === null) return null;
  const explanation = `this tenant's account at ${name} does not work: ${faultSentence(fault)}`;
  return { reason: 'IDENTITY_FAULT', explanation };
}
