import type { EpochSeconds } from '../../../domain/clock.ts';
import { faultSentence, type SiteFailure } from '../../../domain/failures.ts';
import type { SiteAdapter } from '../../../domain/site-adapter.ts';
import { noteNoAnswer } from '../../../predict/down-time.ts';
import { saveSiteFault } from '../../../store/site-faults.ts';
import type { SiteRow } from '../../../store/sites.ts';
import type { Turn } from '../../../store/turns.ts';
import type { FlowContext } from '../../context.ts';
import { commitStep, type Next } from '../../turn.ts';
import { keepBreakers } from './keep-breakers.ts';
import { watchDownTime } from './watch-down-time.ts';

/** A look that a site failed. */
interface FailedLook {
  readonly adapter: SiteAdapter;
  readonly failure: SiteFailure;
  readonly startedAt: EpochSeconds;
  readonly wakeAt: EpochSeconds;
}

/** Keeps what a site failed at, and counts the look towards its being down. */
export function endFailedLook(
  context: FlowContext,
  turn: Turn,
  site: SiteRow,
  { adapter, failure, startedAt, wakeAt }: FailedLook,
): Promise<Next> {
  return commitStep(context, turn, { wakeAt }, async (tx) => {
    await saveSiteFault(tx, turn, failure);
    await keepBreakers(context, tx, adapter, site);
    await watchDownTime(context, tx, site, (state) => noteNoAnswer(state, startedAt, faultSentence(failure.code)));
  });
}
