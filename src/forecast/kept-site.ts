import type { Steps } from '../domain/steps.ts';
import { type Checkpoint, readCheckpointInSteps, writeCheckpoint } from '../predict/checkpoint/checkpoint.ts';
import { assertLearnedBy, type KeptModel } from '../predict/checkpoint/kept-model.ts';
import type { NewsGate } from './news-gate.ts';

/** What a site's checkpoint says of its predictors. */
export interface LearnedBy {
  readonly models: readonly KeptModel[];
}

/** Writes what a site's model has learned, once the questions that are under way are over. */
export function keepLearned<About extends LearnedBy>(
  gate: NewsGate,
  learned: () => object,
  about: About,
): Promise<Checkpoint<About>> {
  return new Promise((resolve, reject) => {
    gate.tell(() => {
      try {
        resolve(writeCheckpoint(learned(), about));
      } catch (error) {
        reject(error);
      }
    });
  });
}

/**
 * Restores it into what has learned nothing, in steps.
 * @throws CheckpointFault that says why it cannot; what it was restored into is of no use then
 */
export function* restoreLearned<Learned extends object>(
  checkpoint: Checkpoint<LearnedBy>,
  fresh: Learned,
  models: readonly KeptModel[],
): Steps<Learned> {
  assertLearnedBy(checkpoint.header.about.models ?? [], models);
  return yield* readCheckpointInSteps(checkpoint, fresh);
}
