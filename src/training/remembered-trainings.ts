import { createHash } from 'node:crypto';
import type { TrainingRequest, TrainingUnderWay } from '../predict/prionn/training.ts';

/** Training events by what they were asked, so that predictors that ask the same share one network. */
export class RememberedTrainings {
  private readonly trainings = new Map<string, TrainingUnderWay>();

  /** @param most of them are remembered, the last asked for */
  constructor(private readonly most: number) {}

  /** @param begin begins it when it is not remembered, or failed; told the id of the state that comes of it */
  of(request: TrainingRequest, begin: (id: string) => TrainingUnderWay): TrainingUnderWay {
    const id = idOf(request);
    const known = this.trainings.get(id);
    this.trainings.delete(id);
    const training = known && !known.hasFailed() ? known : begin(id);
    this.trainings.set(id, training);
    for (const oldest of this.trainings.keys()) {
      if (this.trainings.size <= this.most) break;
      this.trainings.delete(oldest);
    }
    return training;
  }
}

function idOf({ settings, from, samples }: TrainingRequest): string {
  const hash = createHash('sha256').update(JSON.stringify([settings, from?.id ?? null, samples.count]));
  return hash.update(samples.characters).update(samples.labels).digest('hex');
}
