import type { Trainer, TrainingRequest, TrainingUnderWay } from '../predict/prionn/training.ts';
import { RememberedTrainings } from './remembered-trainings.ts';
import { TrainerProcess } from './trainer-process.ts';

/** Networks of some sites, each asked for by up to three predictors at a time. */
const REMEMBERED = 8;

/** Trains beside whoever forecasts, who goes on with what it has until the new state is there. */
export class LiveTrainer implements Trainer {
  private readonly remembered = new RememberedTrainings(REMEMBERED);

  constructor(private readonly process = new TrainerProcess()) {}

  train(request: TrainingRequest): TrainingUnderWay {
    return this.remembered.of(request, (id) => {
      let result: ReturnType<TrainingUnderWay['result']>;
      void this.process.train(request).then(
        (trained) => {
          result = trained && { ...trained.state, id };
        },
        (error: Error) => {
          result = null;
          process.emitWarning(error.message);
        },
      );
      return { result: () => result, hasFailed: () => result === null };
    });
  }
}
