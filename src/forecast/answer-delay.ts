import type { EpochSeconds } from '../domain/clock.ts';
import { plannedWalltimeSeconds } from '../domain/job.ts';
import { runtimeSoFar } from '../domain/runtime-so-far.ts';
import type { RunningJob } from '../domain/snapshot.ts';
import type { Steps } from '../domain/steps.ts';
import { laterSubmitAt } from '../plan/job/delay.ts';
import { asRuntime, RUNTIME } from '../predict/quantities.ts';
import type { DelayAnswer, DelayQuestion } from './forecaster.ts';
import type { SiteView } from './site-view.ts';

/** What jobs would wait at a site that are submitted now, and at a later moment, a forecast at a step. */
export function* answerDelay(
  site: SiteView,
  predictor: string,
  { jobs, now, laterAt: told, latestAt }: DelayQuestion,
): Steps<DelayAnswer | null> {
  const laterAt = told ?? (yield* suggestedBy(site, now));
  if (laterAt === null || laterAt <= now || laterAt > latestAt) return null;
  const waits: DelayAnswer['waits'][number][] = [];
  for (const job of jobs) {
    const waitAt = (submitAt: EpochSeconds) => site.predict(predictor, { ...job, submitAt, isOneOfMany: true }, now);
    waits.push({ atOnce: waitAt(now), later: waitAt(laterAt) });
    yield;
  }
  return { laterAt, waits };
}

function* suggestedBy(site: SiteView, now: EpochSeconds): Steps<EpochSeconds | null> {
  const endsAt: EpochSeconds[] = [];
  for (const [index, job] of (site.state?.running ?? []).entries()) {
    endsAt.push(job.startAt + (index < MOST_FORECAST ? expectedSeconds(site, job, now) : plannedWalltimeSeconds(job)));
    yield;
  }
  return laterSubmitAt(endsAt, now);
}

/** How long a job that runs is expected to run in all; its walltime where nothing is known. */
function expectedSeconds(site: SiteView, job: RunningJob, now: EpochSeconds): number {
  const said = asRuntime(site.predictOther(RUNTIME.name, job, now));
  const { pointSeconds } = runtimeSoFar(said, now - job.startAt, job.requestedWalltimeSeconds);
  const walltimeSeconds = plannedWalltimeSeconds(job);
  return Number.isFinite(pointSeconds) ? Math.min(pointSeconds, walltimeSeconds) : walltimeSeconds;
}

/** A forecast takes a millisecond or two; of the running jobs beyond so many the walltime counts. */
const MOST_FORECAST = 500;
