import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { HEADS } from './classes.ts';
import { initialState } from './initial-state.ts';
import { CONVOLUTIONS, DENSE, type Network, networkOf } from './network.ts';
import type { TrainedState, TrainingRequest, TrainingSamples, TrainingSettings } from './training.ts';
import { ADAM } from './training-step.ts';
import { channelsOf } from './transforms.ts';

/** What a step is fed, each with its dimensions. */
export interface StepInputs {
  readonly table: Float32Array;
  readonly parameters: Float32Array;
  readonly means: Float32Array;
  readonly squares: Float32Array;
  readonly characters: Int32Array;
  readonly labels: BigInt64Array;
  readonly shares: Float32Array;
  readonly rate: number;
  readonly jobs: number;
}

export interface StepOutputs {
  readonly parameters: Float32Array;
  readonly means: Float32Array;
  readonly squares: Float32Array;
  readonly loss: number;
}

/** Takes one step with the network that it was made for. */
export type TakeStep = (inputs: StepInputs) => Promise<StepOutputs>;

/** The network that settings ask for. */
export function networkFor({ shape, side, transform }: TrainingSettings): Network {
  const heads = HEADS.map(({ count }) => count);
  return networkOf({ shape, side, channels: channelsOf(transform), convolutions: CONVOLUTIONS, dense: DENSE, heads });
}

/**
 * Teaches a network all samples, some at a time in an order of chance, as often as it is told. The same request gives
 * the same state.
 * @returns the new state, and the loss of each epoch
 */
export async function trainingEvent(
  { settings, from, samples }: TrainingRequest,
  network: Network,
  takeStep: TakeStep,
): Promise<{ state: Omit<TrainedState, 'id'>; losses: number[] }> {
  let state = from ?? initialState(network, settings, samples);
  const losses: number[] = [];
  for (let epoch = 0; epoch < settings.epochs; epoch++) {
    const order = shuffled(samples.count, settings.seed + state.steps);
    let loss = 0;
    for (let at = 0; at < order.length; at += settings.batch) {
      const steps = state.steps + 1;
      const chosen = order.subarray(at, at + settings.batch);
      const { loss: ofStep, ...next } = await takeStep({
        ...state,
        ...batchOf(samples, chosen, network),
        rate: (settings.rate * Math.sqrt(1 - ADAM.square ** steps)) / (1 - ADAM.mean ** steps),
      });
      state = { ...next, table: state.table, steps };
      loss += (ofStep * chosen.length) / samples.count;
    }
    losses.push(loss);
  }
  return { state, losses };
}

/** The samples of one step; each counts alike, those without a value not at all. */
export function batchOf(
  { characters, labels }: TrainingSamples,
  chosen: Uint32Array,
  { plan, heads }: Network,
): Pick<StepInputs, 'characters' | 'labels' | 'shares' | 'jobs'> {
  const [square, jobs] = [plan.side ** 2, chosen.length];
  const batch = {
    jobs,
    characters: new Int32Array(jobs * square),
    labels: new BigInt64Array(jobs * heads.length),
    shares: new Float32Array(jobs * heads.length),
  };
  for (const [i, sample] of chosen.entries()) {
    batch.characters.set(characters.subarray(sample * square, (sample + 1) * square), i * square);
    for (let head = 0; head < heads.length; head++) {
      const label = labels[sample * heads.length + head] as number;
      batch.labels[i * heads.length + head] = BigInt(Math.max(0, label));
      batch.shares[i * heads.length + head] = label < 0 ? 0 : 1 / jobs;
    }
  }
  return batch;
}

/** Fisher & Yates. */
function shuffled(count: number, seed: number): Uint32Array {
  const random = xoroshiro128plus(seed);
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const other = uniformInt(random, 0, i);
    [order[i], order[other]] = [order[other] as number, order[i] as number];
  }
  return order;
}
