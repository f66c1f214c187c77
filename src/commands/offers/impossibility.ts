import type { EpochSeconds } from '../../domain/clock.ts';
import { findIneligibility } from '../../plan/job/ineligible.ts';
import type { Ineligibility } from '../../plan/unusable.ts';
import { asCandidate, type SiteRow } from '../../store/sites.ts';
import type { Standing } from '../../store/standing.ts';
import type { SizeInput } from '../input/work-input.ts';

/**
 * Why a site could never run a job of that size, whatever state it is in now; nothing is known of one that was never
 * observed.
 */
export function findImpossibility(
  site: SiteRow,
  standing: Standing,
  size: SizeInput,
  now: EpochSeconds,
): Ineligibility | null {
  if (site.observedAt === null) return null;
  const { refusals: _passing, identity, ...lasting } = asCandidate(site, standing);
  const inService = {
    ...lasting,
    state: 'ACTIVE' as const,
    ...(identity && { identity: { ...identity, fault: null } }),
  };
  return findIneligibility({ ...size, deadlineAt: null }, inService, now, Number.POSITIVE_INFINITY);
}
