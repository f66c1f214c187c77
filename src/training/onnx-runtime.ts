/** The package that computes networks; it is optional, so neither its code nor its types may be needed to build. */
export const ONNX_RUNTIME = 'onnxruntime-node';

/** What is used of it. */
export interface OnnxRuntime {
  readonly InferenceSession: { create(model: Uint8Array | string, options: object): Promise<OnnxSession> };
  readonly Tensor: new (
    type: string,
    values: Float32Array | Int32Array | BigInt64Array,
    dimensions: readonly number[],
  ) => OnnxTensor;
}

/** A network that was loaded. */
export interface OnnxSession {
  readonly inputNames: readonly string[];
  run(feeds: object): Promise<Record<string, OnnxTensor>>;
}

export interface OnnxTensor {
  readonly data: unknown;
  readonly dims: readonly number[];
}

/**
 * Loads a network, on one processor. It is native code that must never be loaded where something is served: only
 * processes of its own call this.
 * @param model its bytes, or the file that has them
 */
export async function loadNetwork(
  model: Uint8Array | string,
): Promise<{ readonly session: OnnxSession; readonly Tensor: OnnxRuntime['Tensor'] }> {
  const { InferenceSession, Tensor }: OnnxRuntime = await import(ONNX_RUNTIME);
  const session = await InferenceSession.create(model, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
  });
  return { session, Tensor };
}
