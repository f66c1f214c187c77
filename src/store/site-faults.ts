import { ClockSkew, FAULT_CODES, type FaultCode, type SiteFailure } from '../domain/failures.ts';
import type { Db } from './database.ts';
import { publishChange } from './events.ts';
import { AND_TELLS_NOTHING, type SiteRow } from './sites.ts';
import { assertTurn, type Turn } from './turns.ts';

/**
 * Keeps what was wrong when the site was last looked at, and how far its clock was off where that was it, and tells of
 * it.
 */
export async function saveSiteFault(tx: Db, turn: Turn, failure: SiteFailure): Promise<void> {
  await assertTurn(tx, turn);
  const clockSkewSeconds = failure instanceof ClockSkew ? failure.skewSeconds : undefined;
  await tx.site.update({
    where: { id: turn.id },
    data: { fault: failure.code, ...(clockSkewSeconds === undefined ? {} : { clockSkewSeconds }) },
    ...AND_TELLS_NOTHING,
  });
  await publishChange(tx, { type: 'SITE', id: turn.id, tenantId: null });
}

/** What was wrong when the site was last looked at, null when it answered. */
export function faultOf({ fault }: SiteRow): FaultCode | null {
  return FAULT_CODES.find((code) => code === fault) ?? null;
}
