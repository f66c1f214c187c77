import type { EpochSeconds } from '../../domain/clock.ts';
import { isPassing } from '../../domain/loss-reason.ts';
import type { PlanRequest } from '../../domain/plan.ts';
import { findDearer } from '../../plan/job/caps.ts';
import { findUnfit } from '../../plan/job/ineligible.ts';
import { type ProposedOption, queueFor, requestAs, workCharge } from '../../plan/job/options.ts';
import { sizeAt } from '../../plan/job/size-at-site.ts';
import type { Ineligibility } from '../../plan/unusable.ts';

/**
 * Why an option cannot be taken, or may be billed more than its caller pays; null where it can. What will never pass
 * comes first: a site that is out of sight bills no less when it is back.
 */
export function findUntakable(
  option: ProposedOption,
  request: PlanRequest,
  now: EpochSeconds,
  staleAfterSeconds: number,
): Ineligibility | null {
  const unfit = findUnfit(option, request, now, staleAfterSeconds);
  return unfit && !isPassing(unfit.reason) ? unfit : (tooDear(option, request) ?? unfit);
}

/**
 * Whether the work alone is billed more than its caller pays, where its size and walltime are stated; null where it is
 * not, or nothing is known of the site.
 */
function tooDear(option: ProposedOption, request: PlanRequest): Ineligibility | null {
  const { site, walltimeSeconds } = option;
  if (request.auto || request.sizes || site.observedAt === null) return null;
  const asked = requestAs(option, request);
  const { billedProcessors } = sizeAt(asked, queueFor(asked, site), site);
  return findDearer(request, { site, charge: workCharge(billedProcessors, walltimeSeconds) });
}
