import type { JobRequest } from '../domain/job.ts';
import { Embedder } from '../training/embedder.ts';
import type { EmbeddingModel } from '../training/embedding-model.ts';
import type { Questions } from './forecaster.ts';
import type { TellRecords } from './told-records.ts';

/** What of a forecaster's inputs has texts, with where they lie as far as that is known in time. */
interface EmbeddedTexts {
  readonly records: TellRecords;
  questions(plain: Questions): Questions;
  close(): void;
}

/** @param model without one, everything stays as it is */
export function embeddedBy(model: EmbeddingModel | undefined): EmbeddedTexts {
  if (!model) return { records: async (records) => records, questions: (plain) => plain, close() {} };
  const embedder = new Embedder(model, (message) => process.emitWarning(message));
  void embedder.begin();
  return {
    records: (records) => embedder.tell(records, RECORDS_PATIENCE),
    questions: (plain) => embeddedQuestions(plain, embedder),
    close: () => embedder.close(),
  };
}

function embeddedQuestions(plain: Questions, embedder: Embedder): Questions {
  const all = <Job extends Pick<JobRequest, 'program'>>(jobs: readonly Job[]) => embedder.tell(jobs, QUESTION_PATIENCE);
  const one = async <Job extends Pick<JobRequest, 'program'>>(job: Job) => (await all([job]))[0] ?? job;
  return {
    ...plain,
    async forecastByAll(siteId, query) {
      return plain.forecastByAll(siteId, await one(query));
    },
    async forecastOthers(siteId, quantity, jobs) {
      return plain.forecastOthers(siteId, quantity, await all(jobs));
    },
    async offerReservation(siteId, question) {
      return plain.offerReservation(siteId, await one(question));
    },
    async replanReservations(siteId, held) {
      return plain.replanReservations(siteId, await all(held));
    },
  };
}

/** In milliseconds of wall time: a plan waits no longer, and is made without them then. */
const QUESTION_PATIENCE = 250;
/** Of a batch of records; those that come later, of the same texts, have them. */
const RECORDS_PATIENCE = 2000;
