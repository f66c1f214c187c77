import { parentPort, workerData } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { invariant } from '../domain/failures.ts';
import { openDatabase } from '../store/database.ts';
import { answerCoAllocation, answerReplan, answerReservation } from './answer.ts';
import { LiveSites } from './live-sites.ts';
import { predictorsOf, type ThreadFunctions, type ThreadOptions } from './thread-options.ts';

const port = parentPort;
invariant(port, 'forecast/thread.ts runs as a worker thread only');
const options = workerData as ThreadOptions;
const database = openDatabase(options.databaseUrl, 2);
const answering = { predictor: options.predictor, handoverSeconds: options.handoverSeconds ?? 0 };
const live = new LiveSites(database, predictorsOf(options), options.freshMilliseconds);

const functions: ThreadFunctions = {
  async forecastWaits(siteId, queries, predictor = options.predictor) {
    const model = await live.modelOf(siteId);
    return queries.map((query) => model.predict(predictor, query, query.submitAt));
  },
  async forecastByAll(siteId, query) {
    return (await live.modelOf(siteId)).predictByAll(query, query.submitAt);
  },
  async offerReservation(siteId, question) {
    return answerReservation(await live.modelOf(siteId), answering, question);
  },
  async replanReservations(siteId, held) {
    const model = await live.modelOf(siteId);
    return held.map((question) => answerReplan(model, answering, question));
  },
  async offerCoAllocation(question) {
    const siteIds = [...new Set(question.legs.map(({ siteId }) => siteId))];
    const models = await Promise.all(siteIds.map(async (id) => [id, await live.modelOf(id)] as const));
    return answerCoAllocation(new Map(models), answering, question);
  },
  async state() {
    return live.states();
  },
  async stop() {
    await database.close();
  },
};

createBirpc<Record<string, never>, ThreadFunctions>(functions, {
  post: (message) => port.postMessage(message),
  on: (receive) => port.on('message', receive),
});
