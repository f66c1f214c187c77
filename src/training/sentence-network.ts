import type { EmbeddingModel } from './embedding-model.ts';
import { loadNetwork, type OnnxSession, type OnnxTensor } from './onnx-runtime.ts';
import { projected } from './projection.ts';
import { readTokenizer } from './sentence-tokenizer.ts';

/** Where a text lies among others; null where the network has nothing to say of it. */
export type Embed = (text: string) => Promise<Float32Array | null>;

/**
 * Loads a model of sentences: only the embedder's own process calls this. It may ask for `input_ids`,
 * `attention_mask` and `token_type_ids`, and gives a vector for the text, or one for each token, of which the mean is
 * taken (Reimers & Gurevych 2019, EMNLP).
 * @throws RangeError naming the file that is no such model
 */
export async function loadSentenceNetwork({ modelFile, tokenizerFile }: EmbeddingModel): Promise<Embed> {
  const idsOf = readTokenizer(tokenizerFile);
  const { session, Tensor } = await loadNetwork(modelFile).catch((error: Error) => {
    throw new RangeError(`${modelFile} is no model that ONNX Runtime loads: ${error.message}`);
  });
  const unknown = session.inputNames.filter((name) => !(name in INPUTS));
  if (unknown.length > 0) throw new RangeError(`${modelFile} asks for ${unknown.join(', ')}, which texts do not have`);
  const embed: Embed = async (text) => {
    const ids = idsOf(text);
    const feeds = session.inputNames.map((name) => {
      const values = BigInt64Array.from(ids, (id) => BigInt(INPUTS[name as keyof typeof INPUTS](id)));
      return [name, new Tensor('int64', values, [1, ids.length])];
    });
    return projected(vectorOf(await run(session, Object.fromEntries(feeds)), modelFile));
  };
  await embed('#!/bin/sh\nhostname\n');
  return embed;
}

/** Of a token's id. */
const INPUTS = { input_ids: (id: number) => id, attention_mask: () => 1, token_type_ids: () => 0 };

/** A vector for the text where the network gives one, before what it gives for each token. */
async function run(session: OnnxSession, feeds: object): Promise<OnnxTensor | undefined> {
  const outputs = Object.values(await session.run(feeds));
  return outputs.find(({ dims }) => dims.length === 2) ?? outputs.find(({ dims }) => dims.length === 3);
}

function vectorOf(output: OnnxTensor | undefined, file: string): Float64Array {
  if (!(output?.data instanceof Float32Array)) throw new RangeError(`${file} gives no vectors of 32-bit numbers`);
  const { data, dims } = output;
  const width = dims.at(-1) as number;
  if (!(width >= 1 && width <= MOST_WIDTH)) throw new RangeError(`${file} gives vectors of ${width} numbers`);
  const mean = new Float64Array(width);
  for (let i = 0; i < data.length; i++) mean[i % width] = (mean[i % width] as number) + (data[i] as number);
  return mean;
}

const MOST_WIDTH = 8192;
