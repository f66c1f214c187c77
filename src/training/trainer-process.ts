import type { TrainedState, TrainingRequest } from '../predict/prionn/training.ts';
import { AskedProcess } from './asked-process.ts';
import type { TrainerAnswer, TrainingCost } from './trainer-protocol.ts';

/** How long a training event may take, in wall time. On a machine that is busy it gets what nobody else wants. */
const MOST_MILLISECONDS = 10 * 60_000;

/** A training event that came to an end. */
export interface Trained {
  readonly state: Omit<TrainedState, 'id'>;
  readonly cost: TrainingCost;
}

/** Trains in a process of its own, one event at a time. */
export class TrainerProcess {
  private readonly process: AskedProcess<TrainingRequest, TrainerAnswer>;

  constructor(mostMilliseconds = MOST_MILLISECONDS) {
    this.process = new AskedProcess('trainer-child', mostMilliseconds);
  }

  /** Null while there is none. */
  get pid(): number | null {
    return this.process.pid;
  }

  /** @returns null when the process died, or was killed because it took too long; an error that it reports is thrown */
  async train(request: TrainingRequest): Promise<Trained | null> {
    const answer = await this.process.ask(request);
    if (answer?.kind === 'failed') throw new Error(`training failed: ${answer.reason}`);
    return answer;
  }
}
