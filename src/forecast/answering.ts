import type { Steps } from '../domain/steps.ts';
import { answerRelease, answerReplan, answerReservation } from './answer.ts';
import { answerCoAllocation } from './answer-co-allocation.ts';
import { answerDelay } from './answer-delay.ts';
import { answerIo } from './answer-io.ts';
import type { Dependences } from './dependences.ts';
import type { HeldQuestion, Questions } from './forecaster.ts';
import type { LiveSites } from './live-sites.ts';
import { onOneState, together } from './one-state.ts';
import type { SiteView } from './site-view.ts';
import type { ThreadOptions } from './thread-options.ts';

/** The present moment of questions that are asked together: the earliest they speak of. */
function presentOf(moments: readonly number[]): number {
  return moments.length === 0 ? 0 : Math.min(...moments);
}

/** Computes an answer a piece at a time, in its asker's turn. */
export type Compute = <Answer>(steps: Steps<Answer>) => Promise<Answer>;

/** Every question: first what is known by now, then the computing, a piece at a time. */
export function answering(
  live: LiveSites,
  dependences: Dependences,
  options: Omit<ThreadOptions, 'databaseUrl'>,
  compute: Compute,
): Questions {
  const common = { predictor: options.predictor, handoverSeconds: options.handoverSeconds ?? 0 };
  const askOne = async <Answer>(siteId: string, at: number, question: (site: SiteView) => Steps<Answer>) => {
    const site = await live.siteFor(siteId, at);
    return compute(onOneState(site, question));
  };
  return {
    async forecastWaits(siteId, queries, predictor = options.predictor) {
      const at = presentOf(queries.map(({ submitAt }) => submitAt));
      return askOne(siteId, at, (site) => each(queries, (query) => site.predict(predictor, query, query.submitAt)));
    },
    async forecastByAll(siteId, query) {
      const byAll = (site: SiteView) => each([query], (one) => site.predictByAll(one, one.submitAt));
      return (await askOne(siteId, query.submitAt, byAll)).flat();
    },
    async forecastOthers(siteId, quantity, jobs) {
      const at = presentOf(jobs.map(({ submitAt }) => submitAt));
      return askOne(siteId, at, (site) => each(jobs, (job) => site.predictOther(quantity, job, job.submitAt)));
    },
    async knownWaits(siteId, now) {
      const known = await askOne(siteId, now, (site) => each([site], ({ past }) => past.knownWaitsByQueue));
      return Object.fromEntries(known.flatMap((counts) => [...counts]));
    },
    async forecastSlots(siteId, quantity, query, now) {
      const slots = (site: SiteView) => each([query], (one) => site.predictSlots(quantity, one, now));
      return (await askOne(siteId, now, slots)).flat();
    },
    forecastIo(siteId, question) {
      return askOne(siteId, question.now, (site) => answerIo(site, question));
    },
    forecastDelay(siteId, question) {
      return askOne(siteId, question.now, (site) => answerDelay(site, options.predictor, question));
    },
    offerReservation(siteId, question) {
      return askOne(siteId, question.now, (site) => answerReservation(site, common, question));
    },
    async replanReservations(siteId, held) {
      const site = await live.siteFor(siteId, presentOf(held.map(({ now }) => now)));
      const replan = (question: HeldQuestion) => onOneState(site, (view) => answerReplan(view, common, question));
      return Promise.all(held.map((question) => compute(replan(question))));
    },
    weighRelease(siteId, question) {
      return askOne(siteId, question.now, (site) => answerRelease(site, common, question));
    },
    async offerCoAllocation(question) {
      const siteIds = [...new Set(question.candidates.map(({ siteId }) => siteId))];
      const sites = await Promise.all(siteIds.map(async (id) => [id, await live.siteFor(id, question.now)] as const));
      const dependenceOf = await dependences.among(siteIds, question.now);
      const answer = (views: ReadonlyMap<string, SiteView>) =>
        answerCoAllocation(views, dependenceOf, common, question);
      return compute(onOneState(together(new Map(sites)), answer));
    },
  };
}

function* each<Item, Answer>(items: readonly Item[], answer: (item: Item) => Answer): Steps<Answer[]> {
  const answers: Answer[] = [];
  for (const item of items) {
    answers.push(answer(item));
    yield;
  }
  return answers;
}
