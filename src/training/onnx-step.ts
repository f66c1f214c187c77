import type { Network } from '../predict/prionn/network.ts';
import type { StepInputs, TakeStep } from '../predict/prionn/training-event.ts';
import { trainingStep } from '../predict/prionn/training-step.ts';
import { loadNetwork, type OnnxRuntime, type OnnxTensor } from './onnx-runtime.ts';

/**
 * Loads the training step of a network into ONNX Runtime: only the trainer's own process calls this.
 */
export async function onnxStep(network: Network): Promise<TakeStep> {
  const { session, Tensor } = await loadNetwork(trainingStep(network));
  return async (inputs) => {
    const { newParameters, newMeans, newSquares, loss } = await session.run(feedsOf(network, inputs, Tensor));
    return {
      parameters: floatsOf(newParameters),
      means: floatsOf(newMeans),
      squares: floatsOf(newSquares),
      loss: floatsOf(loss)[0] as number,
    };
  };
}

function feedsOf(
  { length, plan, heads, convolutions }: Network,
  inputs: StepInputs,
  Tensor: OnnxRuntime['Tensor'],
): Record<string, OnnxTensor> {
  const { jobs } = inputs;
  const [first] = convolutions;
  return {
    table: new Tensor('float32', inputs.table, [inputs.table.length / plan.channels, plan.channels]),
    parameters: new Tensor('float32', inputs.parameters, [length]),
    means: new Tensor('float32', inputs.means, [length]),
    squares: new Tensor('float32', inputs.squares, [length]),
    characters: new Tensor('int32', inputs.characters, [jobs, first?.height ?? 0, first?.width ?? 0]),
    labels: new Tensor('int64', inputs.labels, [jobs, heads.length]),
    shares: new Tensor('float32', inputs.shares, [jobs, heads.length]),
    rate: new Tensor('float32', Float32Array.of(inputs.rate), []),
  };
}

function floatsOf(tensor: OnnxTensor | undefined): Float32Array {
  if (tensor?.data instanceof Float32Array) return tensor.data;
  throw new Error('ONNX Runtime gave something else than the training step promises');
}
