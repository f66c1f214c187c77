import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OnnxGraph } from '../../../src/predict/prionn/onnx-graph.ts';
import type { EmbeddingModel } from '../../../src/training/embedding-model.ts';

/** Words that mean one of two things. */
export const SHORT_WORDS = ['quick', 'brief', 'tiny'] as const;
export const LONG_WORDS = ['long', 'huge', 'vast'] as const;
const WORDS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', ...SHORT_WORDS, ...LONG_WORDS, 'run', '##s'];
const WIDTH = 6;

/** Where the words lie: those that mean the same close together, all others in the middle. */
function tableOfWords(): number[] {
  const meanings = [SHORT_WORDS, LONG_WORDS] as readonly (readonly string[])[];
  return WORDS.flatMap((word, number) => {
    const meaning = meanings.findIndex((words) => words.includes(word));
    return Array.from({ length: WIDTH }, (_, i) => (i === meaning ? 1 : 0.01 * ((number + i) % 3)));
  });
}

/**
 * Writes a model of sentences into a folder: a vector for each of a few words, and its vocabulary.
 * @param pooled whether it gives their mean, in place of one for each token
 */
export function writeSmallModel(folder: string, pooled = false): EmbeddingModel {
  mkdirSync(folder, { recursive: true });
  const graph = new OnnxGraph();
  const ids = graph.input('input_ids', 'int64', ['texts', 'tokens']);
  graph.input('attention_mask', 'int64', ['texts', 'tokens']);
  const table = graph.reshape(graph.numbers(tableOfWords()), WORDS.length, WIDTH);
  const vectors = graph.apply('Gather', [table, ids]);
  if (pooled) graph.output('sentence_embedding', graph.sum(vectors, 1), ['texts', WIDTH]);
  else graph.output('last_hidden_state', vectors, ['texts', 'tokens', WIDTH]);
  const model = { modelFile: join(folder, 'model.onnx'), tokenizerFile: join(folder, 'vocab.txt') };
  writeFileSync(model.modelFile, graph.written());
  writeFileSync(model.tokenizerFile, `${WORDS.join('\n')}\n`);
  return model;
}
