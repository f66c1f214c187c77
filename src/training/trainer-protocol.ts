import type { TrainedState } from '../predict/prionn/training.ts';

/** What the process that trains answers to a request: the new state, or why there is none. */
export type TrainerAnswer =
  | { readonly kind: 'trained'; readonly state: Omit<TrainedState, 'id'>; readonly cost: TrainingCost }
  | { readonly kind: 'failed'; readonly reason: string };

/** What a training event took of the process that trains. */
export interface TrainingCost {
  readonly cpuSeconds: number;
  /** The most that it ever held. */
  readonly memoryBytes: number;
  /** Of each epoch. */
  readonly losses: readonly number[];
}
