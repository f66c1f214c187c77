import type { Network } from '../predict/prionn/network.ts';
import type { StepInputs, TakeStep } from '../predict/prionn/training-event.ts';
import { trainingStep } from '../predict/prionn/training-step.ts';

/** The package that trains; it is optional, so neither its code nor its types may be needed to build. */
export const ONNX_RUNTIME = 'onnxruntime-node';

/** What is used of it. */
interface OnnxRuntime {
  readonly InferenceSession: {
    create(model: Uint8Array, options: object): Promise<{ run(feeds: object): Promise<Record<string, OnnxTensor>> }>;
  };
  readonly Tensor: new (
    type: string,
    values: Float32Array | Int32Array | BigInt64Array,
    dimensions: readonly number[],
  ) => OnnxTensor;
}

interface OnnxTensor {
  readonly data: unknown;
}

/**
 * Loads the training step of a network into ONNX Runtime, on one processor. It is native code that must never be
 * loaded where something is served: only the trainer's own process calls this.
 */
export async function onnxStep(network: Network): Promise<TakeStep> {
  const { InferenceSession, Tensor }: OnnxRuntime = await import(ONNX_RUNTIME);
  const session = await InferenceSession.create(trainingStep(network), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
  });
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
