import type { EpochSeconds } from '../../domain/clock.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../../domain/snapshot.ts';
import { POLICIES } from '../../sim/policy.ts';
import { SiteAhead, siteNow } from '../../sim/site-ahead.ts';

/**
 * What a site would say at a later moment if nobody came until then: its jobs run as long as they are taken to, and
 * those that wait start as EASY lets them.
 * @param totalSeconds from its start to its end, of every job
 */
export function stateThen(
  state: Snapshot,
  at: EpochSeconds,
  totalSeconds: (job: WaitingJob | RunningJob) => number,
): Snapshot {
  const jobs: readonly (WaitingJob | RunningJob)[] = [...state.running, ...state.waiting];
  const site = siteNow(state, POLICIES.easy, totalSeconds);
  const runs = new SiteAhead(site).runsUntil(at);
  const running = jobs.flatMap((job, place): RunningJob[] => {
    const run = runs[place];
    return run && run.endAt > at ? [{ startAt: run.startAt, ...job }] : [];
  });
  const used = running.reduce((sum, { processors }) => sum + processors, 0);
  return {
    ...state,
    observedAt: at,
    freeProcessors: site.processors - used,
    waiting: jobs.filter((_, place) => !runs[place]),
    running,
  };
}
