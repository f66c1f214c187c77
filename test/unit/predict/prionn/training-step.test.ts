import { expect, test } from 'vitest';
import { charactersOf } from '../../../../src/predict/prionn/characters.ts';
import { TrainedNetwork } from '../../../../src/predict/prionn/forward.ts';
import { initialState } from '../../../../src/predict/prionn/initial-state.ts';
import { type Network, networkOf } from '../../../../src/predict/prionn/network.ts';
import type { TrainingSamples, TrainingSettings } from '../../../../src/predict/prionn/training.ts';
import { batchOf, trainingEvent } from '../../../../src/predict/prionn/training-event.ts';
import { ADAM } from '../../../../src/predict/prionn/training-step.ts';
import { channelsOf } from '../../../../src/predict/prionn/transforms.ts';
import { onnxStep } from '../../../../src/training/onnx-step.ts';
import { needsTrainer } from '../../../needs-trainer.ts';

needsTrainer();

const SIDE = 16;
const JOBS = 6;
const HEADS = [5, 3];

function settingsOf(shape: '1d' | '2d', transform: 'one-hot' | 'word2vec'): TrainingSettings {
  return { shape, transform, side: SIDE, epochs: 4, batch: 4, rate: 0.01, seed: 3 };
}

function tinyNetwork({ shape, side, transform }: TrainingSettings): Network {
  return networkOf({
    shape,
    side,
    channels: channelsOf(transform),
    convolutions: [3, 4, 3, 4],
    dense: [6, 5],
    heads: HEADS,
  });
}

/** Texts that differ from row to row, so that no two of a pool are equally large; one value is not known. */
function samplesOf(count: number): TrainingSamples {
  const characters = Uint8Array.from(
    { length: count * SIDE ** 2 },
    (_, i) => (i * 7919 + (i >> 4) * 31 + (i >> 8)) % 128,
  );
  const labels = Int32Array.from({ length: count * HEADS.length }, (_, i) =>
    i === 3 ? -1 : i % (HEADS[i % 2] as number),
  );
  return { count, characters, labels };
}

function lossOf(network: Network, table: Float32Array, parameters: Float64Array, samples: TrainingSamples): number {
  const trained = new TrainedNetwork(network, table, parameters);
  let loss = 0;
  for (let i = 0; i < samples.count; i++) {
    const heads = trained.probabilities(samples.characters.subarray(i * SIDE ** 2, (i + 1) * SIDE ** 2));
    for (const [head, probabilities] of heads.entries()) {
      const label = samples.labels[i * HEADS.length + head] as number;
      if (label >= 0) loss -= Math.log(probabilities[label] as number) / samples.count;
    }
  }
  return loss;
}

/** Weights of the heads, which begin as nothing, so that what lies before them matters. */
function stirred(network: Network, parameters: Float32Array): Float32Array {
  for (const { weights } of network.heads) {
    for (let i = 0; i < weights.length; i++) parameters[weights.offset + i] = Math.sin(i) / 2;
  }
  return parameters;
}

test.each([
  ['2d', 'word2vec'],
  ['2d', 'one-hot'],
  ['1d', 'word2vec'],
  ['1d', 'one-hot'],
] as const)('%s %s: loss and gradients are those of finite differences of the forward pass', async (shape, transform) => {
  const settings = settingsOf(shape, transform);
  const [network, samples] = [tinyNetwork(settings), samplesOf(JOBS)];
  const begun = initialState(network, settings, samples);
  const parameters = stirred(network, begun.parameters);
  const takeStep = await onnxStep(network);
  const batch = batchOf(
    samples,
    Uint32Array.from({ length: JOBS }, (_, i) => i),
    network,
  );
  const after = await takeStep({ ...begun, ...batch, rate: 0.01 });
  const exact = Float64Array.from(parameters);
  expect(after.loss).toBeCloseTo(lossOf(network, begun.table, exact, samples), 4);
  let checked = 0;
  for (const { offset, length } of network.blocks) {
    for (let i = offset; i < offset + length; i += Math.ceil(length / 7)) {
      const by = 1e-5;
      const [above, below] = [by, -by].map((shift) => {
        const moved = exact.with(i, (exact[i] as number) + shift);
        return lossOf(network, begun.table, moved, samples);
      }) as [number, number];
      // Adam's first mean is a tenth of the gradient.
      const gradient = (after.means[i] as number) / (1 - ADAM.mean);
      expect(gradient).toBeCloseTo((above - below) / (2 * by), 3);
      if (Math.abs(gradient) > 0.01) checked++;
      const step = (0.01 * (after.means[i] as number)) / (Math.sqrt(after.squares[i] as number) + ADAM.epsilon);
      expect(after.parameters[i]).toBeCloseTo((parameters[i] as number) - step, 5);
    }
  }
  expect(checked).toBeGreaterThan(20);
});

/** Texts of lines that say to which class their jobs belong. */
function tellingSamples(count: number): TrainingSamples {
  const texts = Array.from({ length: count }, (_, i) =>
    charactersOf(`run ${'abcde'.charAt(i % 5).repeat(9)}\n`.repeat(9), '2d', SIDE),
  );
  const labels = Int32Array.from({ length: 2 * count }, (_, i) => (i % 2 === 0 ? (i / 2) % 5 : i % 3));
  return { count, characters: Uint8Array.from(texts.flatMap((text) => [...text])), labels };
}

test('the loss falls, and the same request gives the same state', async () => {
  const settings = { ...settingsOf('2d', 'one-hot'), epochs: 12 };
  const [network, samples] = [tinyNetwork(settings), tellingSamples(40)];
  const takeStep = await onnxStep(network);
  const once = await trainingEvent({ settings, from: null, samples }, network, takeStep);
  const [first = 0, last = 0] = [once.losses[0], once.losses.at(-1)];
  expect(last).toBeLessThan(first - 0.3);
  expect(await trainingEvent({ settings, from: null, samples }, network, takeStep)).toEqual(once);
  const warm = await trainingEvent({ settings, from: { ...once.state, id: 'first' }, samples }, network, takeStep);
  expect(warm.state.steps).toBe(2 * once.state.steps);
  expect(warm.losses[0]).toBeLessThan(first - 0.3);
});
