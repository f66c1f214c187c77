import type { TextShape } from './characters.ts';
import type { Transform } from './transforms.ts';

/** How a network is built and taught. */
export interface TrainingSettings {
  readonly shape: TextShape;
  readonly transform: Transform;
  /** Rows and columns of the square of characters. */
  readonly side: number;
  /** How often each text is looked at in one training. */
  readonly epochs: number;
  /** Texts of one step. */
  readonly batch: number;
  /** Learning rate of Adam. */
  readonly rate: number;
  readonly seed: number;
}

/** Texts with the classes that their jobs came out as. */
export interface TrainingSamples {
  readonly count: number;
  /** The squares of characters, one after the other. */
  readonly characters: Uint8Array;
  /** Classes by head for each text, one text after the other; -1 where the value is not known. */
  readonly labels: Int32Array;
}

/** A network that was taught, with all that teaching it further needs. */
export interface TrainedState {
  /** The same for the same teaching from the beginning. */
  readonly id: string;
  /** The numbers that stand for the characters. */
  readonly table: Float32Array;
  readonly parameters: Float32Array;
  /** Adam's mean of gradients, and of their squares. */
  readonly means: Float32Array;
  readonly squares: Float32Array;
  /** Taken from the beginning. */
  readonly steps: number;
}

/** One training event. */
export interface TrainingRequest {
  readonly settings: TrainingSettings;
  /** What it goes on from; null at the beginning. */
  readonly from: TrainedState | null;
  readonly samples: TrainingSamples;
}

/** A training event that was begun. */
export interface TrainingUnderWay {
  /**
   * What came of it: null when it failed, undefined while it goes on. Where the same events must give the same
   * forecasts, it is waited for.
   */
  result(): TrainedState | null | undefined;

  /** Whether it is known by now that nothing came of it. */
  hasFailed(): boolean;
}

/** Teaches networks, elsewhere than where forecasts are made. */
export interface Trainer {
  /** Begins one; the same request gives the same state, and may be answered by what is remembered. */
  train(request: TrainingRequest): TrainingUnderWay;
}

/** Nobody can teach networks here. */
export class TrainerAbsentError extends RangeError {
  override readonly name = 'TrainerAbsentError';
}

let source: (() => Trainer) | null = null;

/**
 * Tells predictors that are made from now on who teaches their networks. The edges do, once for a thread.
 * @param create makes it when the first is asked for; throws TrainerAbsentError where there is none
 */
export function supplyTrainer(create: (() => Trainer) | null): void {
  source = create;
}

/** @throws TrainerAbsentError that says what is missing and what to do */
export function suppliedTrainer(): Trainer {
  if (source) return source();
  throw new TrainerAbsentError(
    'nothing trains networks in this process; run the command that does, or leave prionn out',
  );
}
