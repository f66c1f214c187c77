import type { DownTimeState } from '../../../domain/down-time.ts';
import { judgeDownTime, NEVER_LOOKED_AT } from '../../../predict/down-time.ts';
import type { Db } from '../../../store/database.ts';
import { saveDownTime } from '../../../store/down-time.ts';
import { wakeExecutionsBeforeStart } from '../../../store/outbox.ts';
import { type LastLook, readLastLook, type SiteRow } from '../../../store/sites.ts';
import type { FlowContext } from '../../context.ts';

/**
 * Lets the down-time detector take in a look. When the site is taken to be down from now on, the promises that wait for
 * it or in its queue look for another place.
 * @param lastLook what the look before left; read unless told
 */
export async function watchDownTime(
  { clock, logger }: FlowContext,
  tx: Db,
  site: SiteRow,
  note: (state: DownTimeState) => DownTimeState,
  lastLook?: LastLook,
): Promise<void> {
  const now = clock.now();
  const { downTimeState } = lastLook ?? (await readLastLook(tx, site.id));
  const state = note(downTimeState ?? NEVER_LOOKED_AT);
  const verdict = judgeDownTime(state, now);
  const change = await saveDownTime(tx, site.id, state, verdict, now);
  if (change === 'UNCHANGED') return;
  logger.warn({ site: site.name, change, evidence: verdict.evidence }, 'down-time detector');
  if (change === 'SUSPENDED') await wakeExecutionsBeforeStart(tx, site.id, now);
}
