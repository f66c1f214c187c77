import type { Steps } from '../domain/steps.ts';
import type { ReservationInput } from '../plan/reserve.ts';
import { mostProbablePoint, trajectorySteps } from '../plan/trajectory.ts';
import type { HeldWorkDelay } from '../predict/wait/held-work-delay.ts';
import type { SiteView } from './site-view.ts';

/**
 * How probable it can be at most that work starts in time that gives way to all that is held back for the site: what
 * was promised before must not suffer by what is promised now. 1 where nothing is held back.
 */
export function* mostBesideHeld(site: SiteView, input: ReservationInput): Steps<number> {
  const delay = site.delayByHeld();
  if (!delay) return 1;
  const trajectory = yield* trajectorySteps(behind(delay, input));
  return mostProbablePoint(trajectory)?.probability ?? 0;
}

/** The question with forecasts of work that gives way to what is held back; as it is where nothing is. */
export function behind(delay: HeldWorkDelay | null, input: ReservationInput): ReservationInput {
  if (!delay) return input;
  const { processors, forecastAt } = input;
  return {
    ...input,
    forecastAt: (submitAt, requestedWalltimeSeconds) => {
      const job = { user: null, queue: null, processors, requestedWalltimeSeconds, submitAt };
      return delay.applyTo(forecastAt(submitAt, requestedWalltimeSeconds), job);
    },
  };
}
