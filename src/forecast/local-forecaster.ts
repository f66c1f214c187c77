import type { Database } from '../store/database.ts';
import { answerCoAllocation, answerRelease, answerReplan, answerReservation } from './answer.ts';
import { Dependences } from './dependences.ts';
import type { Forecaster } from './forecaster.ts';
import { LiveSites } from './live-sites.ts';
import { predictorsOf, type ThreadOptions } from './thread-options.ts';

/** A forecaster that reads what is new when it is told to, too, not only when it is asked. */
export interface LocalForecaster extends Forecaster {
  /** Looks at every site there is, so that none has gone unwatched when it is asked about. */
  follow(): Promise<void>;
}

/** A forecaster that computes where it is asked: the inside of the thread, or of a test that wants everything in one place. */
export function createLocalForecaster(
  database: Database,
  options: Omit<ThreadOptions, 'databaseUrl'>,
): LocalForecaster {
  const predictors = predictorsOf(options);
  const answering = { predictor: options.predictor, handoverSeconds: options.handoverSeconds ?? 0 };
  const dependences = new Dependences(database, options.predictor);
  const learnsFrom = performance.now() + (options.learnsAfterMilliseconds ?? 0);
  const live = new LiveSites(database, predictors, options.settings ?? {}, options.freshMilliseconds, learnsFrom);
  return {
    predictors,
    async forecastWaits(siteId, queries, predictor = options.predictor) {
      const model = await live.modelOf(siteId, presentOf(queries.map(({ submitAt }) => submitAt)));
      return queries.map((query) => model.predict(predictor, query, query.submitAt));
    },
    async forecastByAll(siteId, query) {
      return (await live.modelOf(siteId, query.submitAt)).predictByAll(query, query.submitAt);
    },
    async offerReservation(siteId, question) {
      return answerReservation(await live.modelOf(siteId, question.now), answering, question);
    },
    async replanReservations(siteId, held) {
      const model = await live.modelOf(siteId, presentOf(held.map(({ now }) => now)));
      return held.map((question) => answerReplan(model, answering, question));
    },
    async weighRelease(siteId, question) {
      return answerRelease(await live.modelOf(siteId, question.now), answering, question);
    },
    async offerCoAllocation(question) {
      const siteIds = [...new Set(question.candidates.map(({ siteId }) => siteId))];
      const models = await Promise.all(siteIds.map(async (id) => [id, await live.modelOf(id, question.now)] as const));
      const dependenceOf = await dependences.among(siteIds, question.now);
      return answerCoAllocation(new Map(models), dependenceOf, answering, question);
    },
    async state() {
      return live.states();
    },
    stateOf: (siteId) => live.stateOf(siteId),
    follow: () => live.follow(),
    async close() {},
  };
}

/** The present moment of questions that are asked together: the earliest they speak of. */
function presentOf(moments: readonly number[]): number {
  return moments.length === 0 ? 0 : Math.min(...moments);
}
