import type { CoAllocationAnswer, JobAnswer, SiteAnswer } from '../client/answers.ts';
import type { Narrator } from './narrator.ts';
import { showClock } from './show-clock.ts';
import type { Stage } from './stage.ts';
import { askEitherOr, type EitherOr, followEitherOr } from './story-either-or.ts';
import { tellForecasts } from './story-forecasts.ts';
import { followJob, submitStoryJob } from './story-job.ts';
import { askPromises, followPromise, type StoryPromise } from './story-promises.ts';

/** How everything ended, as the API says. */
export interface StoryEnd {
  readonly job: JobAnswer;
  /** Empty when no site made a promise. */
  readonly promises: readonly StoryPromise[];
  readonly eitherOr: CoAllocationAnswer | null;
}

/**
 * Tells the story: what the sites are like, a job, three reservations, an either-or, and then how they fare. Told again
 * after an interruption it goes on where it stood.
 */
export async function tellStory(stage: Stage, sites: readonly SiteAnswer[], narrator: Narrator): Promise<StoryEnd> {
  await tellForecasts(stage, sites, narrator);
  const jobId = await submitStoryJob(stage, narrator);
  const asked = await askPromises(stage, narrator);
  const eitherOr: EitherOr | null = await askEitherOr(stage, sites, narrator);
  narrator.chapter('What becomes of them, as the sites tell it');
  const hideClock = showClock(stage, narrator, asked[0]?.reservation.startAt ?? null);
  const [job, promises, group] = await Promise.all([
    followJob(stage, jobId, narrator),
    Promise.all(
      asked.map(async (promise) => ({ ...promise, reservation: await followPromise(stage, promise, narrator) })),
    ),
    eitherOr && followEitherOr(stage, eitherOr, narrator),
  ]).finally(hideClock);
  return { job, promises, eitherOr: group };
}
