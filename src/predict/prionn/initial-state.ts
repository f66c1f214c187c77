import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { DenseLayer, Network } from './network.ts';
import type { TrainedState, TrainingSamples, TrainingSettings } from './training.ts';
import { transformTable } from './transforms.ts';

/** How many jobs of every class it begins as if it had seen, in all classes together. */
const PRIOR_JOBS = 5;

/**
 * A network before its first step: weights by chance (He et al. 2015, ICCV), and heads that say how often each class
 * came among the samples, so that what follows need only learn how texts differ.
 */
export function initialState(
  network: Network,
  settings: TrainingSettings,
  samples: TrainingSamples,
): Omit<TrainedState, 'id'> {
  const square = settings.side ** 2;
  const texts = Array.from({ length: samples.count }, (_, i) =>
    samples.characters.subarray(i * square, (i + 1) * square),
  );
  const random = xoroshiro128plus(settings.seed);
  const draw = () => uniformInt(random, -1_000_000, 1_000_000) / 1_000_000;
  const parameters = new Float32Array(network.length);
  for (const { offset, length, fanIn } of network.blocks) {
    if (fanIn === 0) continue;
    // Even chances of this width have a variance of 2 / fanIn.
    const width = Math.sqrt(6 / fanIn);
    for (let i = 0; i < length; i++) parameters[offset + i] = width * draw();
  }
  for (const [i, head] of network.heads.entries()) tellFrequencies(parameters, head, labelsOf(samples, i, network));
  const [means, squares] = [new Float32Array(network.length), new Float32Array(network.length)];
  return { table: transformTable(settings.transform, texts, settings.seed), parameters, means, squares, steps: 0 };
}

function labelsOf({ labels }: TrainingSamples, head: number, { heads }: Network): Int32Array {
  return labels.filter((label, i) => i % heads.length === head && label >= 0);
}

function tellFrequencies(parameters: Float32Array, { weights, biases, outputs }: DenseLayer, labels: Int32Array): void {
  parameters.fill(0, weights.offset, weights.offset + weights.length);
  const counts = new Float64Array(outputs).fill(PRIOR_JOBS / outputs);
  for (const label of labels) counts[label] = (counts[label] as number) + 1;
  for (let i = 0; i < outputs; i++) parameters[biases.offset + i] = Math.log(counts[i] as number);
}
